"""Programs and settings that the configuration names: code that runs though nothing imports it."""

from __future__ import annotations

import re
from typing import Dict, List

# A table of pyproject.toml, or the lines below `console_scripts` in setup.cfg and setup.py.
SECTION = re.compile(
    r"^\[(?:project\.(?:gui-)?|tool\.poetry\.)scripts\]([^\[]*)|(?:console|gui)_scripts(.*?)(?:\n[\w\[]|\]|\Z)", re.M | re.S
)
SCRIPT = re.compile(r"([\w.-]+)[\"']?\s*=\s*[\"']?([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)")


def read_scripts(text: str) -> Dict[str, str]:
    """The function behind each command, as `module:name`."""
    sections = ("".join(match) for match in SECTION.findall(text))
    return {name: target for section in sections for name, target in SCRIPT.findall(section)}


def read_django_settings(text: str) -> List[str]:
    """The settings module that pytest-django loads before the tests."""
    return re.findall(r"(?:DJANGO_SETTINGS_MODULE[\"']?\s*=\s*|--ds[= ])[\"']?([A-Za-z_][\w.]*)", text)
