"""Builds wheels of hinge for Python: make builds the library, and the wheel holds it beside the module.

A source distribution has the source of the library in the folder `library`, so that a wheel can be built from it
alone. The library does not use Python's own interface, so one wheel serves every Python 3 of a kind of machine.
"""
import os
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
IN_DISTRIBUTION = os.path.join(HERE, "library")
SOURCE = IN_DISTRIBUTION if os.path.isdir(IN_DISTRIBUTION) else os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.path.join("build", "plain", "libhinge.so")
# The source of the library, and its licence.
PARTS = ["LICENSE", "Makefile", "include", "src", "tests/tests.mk"]


def version():
    with open(os.path.join(SOURCE, "include", "hinge.h"), encoding="utf-8") as header:
        return re.search(r'^#define HINGE_VERSION "(.*)"$', header.read(), re.M).group(1)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        subprocess.check_call(["make", "-C", SOURCE, LIBRARY])
        shutil.copy(os.path.join(SOURCE, LIBRARY), os.path.join(self.build_lib, "hinge"))


class SourceWithLibrary(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        without = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist", "library")
        for part in PARTS:
            source, target = os.path.join(SOURCE, part), os.path.join(base_dir, "library", part)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.isdir(source):
                shutil.copytree(source, target, ignore=without)
            else:
                shutil.copy(source, target)


class WheelForEveryPython(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    packages=["hinge"],
    distclass=WithLibrary,
    cmdclass={"bdist_wheel": WheelForEveryPython, "build_py": BuildWithLibrary, "sdist": SourceWithLibrary},
)
