"""The three ways in which somebody uses a scene: a mouse, the keys alone, a finger."""

from dataclasses import dataclass

from playwright.sync_api import Locator

SOON = 10_000  # milliseconds; how fast a scene answers is the bench's business


@dataclass(frozen=True)
class Hand:
    """kind: "mouse", "keys" or "touch"."""

    kind: str

    def push(self, control: Locator) -> None:
        """A button, a link, anything that is clicked."""
        if self.kind == "mouse":
            control.click()
        elif self.kind == "touch":
            control.tap()
        else:
            control.focus()
            control.press("Enter")

    def forward(self, scene: Locator, steps: int = 1) -> None:
        """The next step of the scene's story."""
        for _ in range(steps):
            if self.kind == "keys":
                scene.focus()
                scene.press("ArrowRight")
            else:
                self.push(scene.get_by_role("button", name="Next"))

    def back(self, scene: Locator) -> None:
        """One step back."""
        if self.kind == "keys":
            scene.focus()
            scene.press("ArrowLeft")
        else:
            self.push(scene.get_by_role("button", name="Back"))

    def move(self, slider: Locator, share: float) -> None:
        """A slider to this share of its range; with keys only to an end."""
        if self.kind == "keys":
            slider.focus()
            slider.press("End" if share > 0.5 else "Home")
        else:
            box = slider.bounding_box()
            at = {"x": box["width"] * (0.02 + 0.96 * share), "y": box["height"] / 2}
            (slider.tap if self.kind == "touch" else slider.click)(position=at)
