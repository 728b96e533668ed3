"""Random numbers with one thing wrong: streams that are not independent."""

from dataclasses import dataclass

from course_utils.decoding.contracts import NoiseSource, RoundNoise, Uniforms


@dataclass(frozen=True)
class OneStream:
    """The uniform of a round's first guess will also draw the correction."""

    source: NoiseSource

    def round(self, index: int) -> "OneStreamRound":
        return OneStreamRound(self.source.round(index))


@dataclass(frozen=True)
class OneStreamRound:
    noise: RoundNoise

    def uniforms(self, purpose: str, count: int) -> Uniforms:
        numbers = self.noise.uniforms(purpose, count)
        if purpose != "draft" or not count:
            return numbers
        correction = self.noise.uniforms("verify", count + 1)[-1]
        return [correction, *numbers[1:]]
