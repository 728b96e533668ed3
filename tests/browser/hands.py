"""The three ways in which somebody uses a scene: a mouse, the keys alone, a finger."""

from dataclasses import dataclass

from playwright.sync_api import Locator

SOON = 10_000  # milliseconds


@dataclass(frozen=True)
class Hand:
    """kind: "mouse", "keys" or "touch"."""

    kind: str

    def push(self, control: Locator) -> None:
        """A button, a link, anything that is clicked."""
        if self.kind == "keys":
            control.focus()
            control.press("Enter")
        else:
            (control.tap if self.kind == "touch" else control.click)()

    def forward(self, scene: Locator) -> None:
        """The next step of the scene's story."""
        self._step(scene, "Next", "ArrowRight")

    def back(self, scene: Locator) -> None:
        """One step back."""
        self._step(scene, "Back", "ArrowLeft")

    def _step(self, scene: Locator, name: str, key: str) -> None:
        if self.kind == "keys":
            scene.focus()
            scene.press(key)
        else:
            self.push(scene.get_by_role("button", name=name))

    def move(self, slider: Locator, share: float) -> None:
        """A slider to this share of its range; with keys only to an end."""
        if self.kind == "keys":
            slider.focus()
            slider.press("End" if share > 0.5 else "Home")
        else:
            box = slider.bounding_box()
            at = {"x": box["width"] * (0.02 + 0.96 * share), "y": box["height"] / 2}
            (slider.tap if self.kind == "touch" else slider.click)(position=at)
