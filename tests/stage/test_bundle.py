"""The committed bundle is current, small, and makes no requests."""

import json
import re
import subprocess

from course_utils.classroom.scene import BUNDLE
from tests.stage.node import STAGE, need_modules, need_node

SCENES = sorted(path.stem for path in (STAGE / "scenes").glob("*.mjs"))
MOST = 400_000  # bytes


def test_it_has_every_scene_ends_with_its_licences_and_makes_no_requests():
    text = BUNDLE.read_text("utf-8")
    for name in SCENES:
        assert f'"{name}"' in text
    assert len(text.encode()) <= MOST
    addresses = set(text.split("http")[1:])
    assert all(one.startswith(("://www.w3.org/", "s://www.w3.org/")) for one in addresses)
    ((names, licence),) = re.findall(r"^/\*! (.+?)\n\n(.+?)\*/$", text, re.DOTALL | re.MULTILINE)
    packages = json.loads((STAGE / "package.json").read_text())["devDependencies"]
    assert {"d3-array"} <= set(names.split(", ")) <= {*packages, "internmap"}
    assert "this permission notice appear in all copies" in " ".join(licence.split())


def test_the_bundle_is_current(tmp_path):
    """Rebuilt from the sources, byte for byte."""
    need_modules()
    fresh = tmp_path / "scenes.js"
    subprocess.run([need_node(), str(STAGE / "build.mjs"), str(fresh)], check=True)
    assert BUNDLE.read_bytes() == fresh.read_bytes(), "run npm run build --prefix stage"
