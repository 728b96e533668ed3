"""The palette is the same in Python and in the scenes, and no meaning rests on colour alone."""

import re
from pathlib import Path

from course_utils.classroom import palette
from course_utils.classroom.palette import KINDS, MARKS, ROLES, TAGS
from course_utils.classroom.tokens import coloured, marked
from course_utils.decoding.loop import generate
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.characters import CharacterModel

STAGE = Path(__file__).parents[2] / "stage" / "lib" / "stage.css"


def colours_of(selector: str) -> dict[str, str]:
    """The roles' colours in the first rule of the stage's stylesheet with this selector."""
    rule = STAGE.read_text(encoding="utf-8").split(f"\n{selector} {{")[1].split("}")[0]
    return dict(re.findall(r"--(\w+): (#[0-9A-F]{6});", rule))


def test_scenes_wear_the_palette_on_both_grounds():
    assert colours_of(".course-scene") == {name: look.colour for name, look in ROLES.items()}
    assert colours_of('.course-scene[data-ground="dark"]') == palette.DARK


def test_each_kind_has_a_style_tags_and_a_sign_of_its_own():
    for marks in (MARKS, TAGS, palette.ANSI):
        assert set(marks) == set(KINDS) == set(palette.MEANINGS)
        assert len(set(marks.values())) == len(KINDS)


def test_meaning_stays_where_style_is_lost():
    def bare(html):
        return re.sub(r' (style|title)="[^"]*"', "", html)

    target, drafter = CharacterModel(), Sampled(CharacterModel(accuracy=0.7))
    rounds = list(generate(target, [0], drafter, gamma=3, max_new_tokens=18, seed=1))
    html = bare(coloured(rounds, target.alphabet.decode, "prompt").html)
    kinds = {kind for r in rounds for kind in r.kinds}
    assert "correction" in kinds
    assert all(bare(marked(kind, kind)) in html for kind in kinds)
