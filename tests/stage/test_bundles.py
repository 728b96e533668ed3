"""The committed bundles are what the sources give, and small."""

import re
import subprocess

import pytest

from course_utils.classroom.scene import BUNDLES
from tests.stage.node import STAGE, need_modules, need_node

SCENES = sorted(path.stem for path in (STAGE / "scenes").glob("*.mjs"))
MOST, ALL = 300_000, 450_000  # bytes of a scene's bundle, and of the page's, which has them all


def test_every_scene_has_its_bundle_and_every_bundle_its_scene():
    assert sorted(path.stem for path in BUNDLES.glob("*.js")) == sorted([*SCENES, "page"])


def imported(path, seen):
    """The packages that a module of the stage imports, or whatever it imports does."""
    seen.add(path)
    names = set(re.findall(r'from "(.+?)"', path.read_text("utf-8")))
    files = {(path.parent / name).resolve() for name in names if name.startswith(".")}
    packages = {name for name in names if not name.startswith(".")}
    return packages.union(*(imported(file, seen) for file in files - seen))


@pytest.mark.parametrize("name", [*SCENES, "page"])
def test_a_bundle_ends_with_the_licences_of_the_packages_in_it(name):
    """So every copy has them.  What a scene alone does not use of its parts is left out."""
    scenes = SCENES if name == "page" else [name]
    asked = set().union(*(imported(STAGE / "scenes" / f"{one}.mjs", set()) for one in scenes))
    text = (BUNDLES / f"{name}.js").read_text("utf-8")
    notices = dict(re.findall(r"^/\*! (.+?)\n\n(.+?)\*/$", text, re.DOTALL | re.MULTILINE))
    named = {package for names in notices for package in names.split(", ")}
    assert bool(asked) == bool(named)
    assert asked <= named or name != "page"
    for licence in notices.values():
        assert "Mike Bostock" in licence
        assert "this permission notice appear in all copies" in " ".join(licence.split())


@pytest.mark.parametrize("name", [*SCENES, "page"])
def test_a_bundle_is_small_and_asks_nobody_for_anything(name):
    text = (BUNDLES / f"{name}.js").read_text(encoding="utf-8")
    assert len(text.encode()) <= (ALL if name == "page" else MOST)
    addresses = set(text.split("http")[1:])
    assert all(one.startswith(("://www.w3.org/", "s://www.w3.org/")) for one in addresses)


def test_the_bundles_are_current(tmp_path):
    """Rebuilt from the sources, byte for byte."""
    need_modules()
    subprocess.run([need_node(), str(STAGE / "build.mjs"), str(tmp_path)], check=True)
    fresh = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {path.name: path.read_bytes() for path in BUNDLES.iterdir()} == fresh, (
        "the bundles are not what stage/ gives: npm run build --prefix stage"
    )
