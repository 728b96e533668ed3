"""An installed package has data/ inside, for those who install it without a clone: Colab."""

from pathlib import Path
from shutil import copytree, ignore_patterns

from setuptools import setup
from setuptools.command.build_py import build_py

LEFT_OUT = ignore_patterns("*_log.jsonl", "pictures", "class")


class WithData(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:  # then the clone's is used
            inside = Path(self.build_lib) / "course_utils" / "data"
            copytree("data", inside, ignore=LEFT_OUT, dirs_exist_ok=True)


setup(cmdclass={"build_py": WithData})
