"""Programs and settings that the configuration names: code that runs though nothing imports it."""

from __future__ import annotations

import re
from typing import Dict, List

# A table of pyproject.toml, or the lines below `console_scripts` in setup.cfg and setup.py.
SECTION = re.compile(
    r"^\[(?:project\.(?:gui-)?|tool\.poetry\.)scripts\]([^\[]*)|(?:console|gui)_scripts(.*?)(?:\n[\w\[]|\]|\Z)", re.M | re.S
)
# A table of pyproject.toml or the lines of setup.cfg and setup.py that name the plugins of a group.
GROUP = re.compile(r"^\[(?:project\.entry-points|tool\.poetry\.plugins)\.[\"']?([\w.-]+)[\"']?\]([^\[]*)", re.M)
LISTED_GROUP = re.compile(r"^[ \t]*[\"']?([\w.-]+)[\"']?[ \t]*[=:][ \t]*\[?[ \t]*\n((?:[ \t]+[\"']?[\w.-]+[ \t]*=[ \t]*[\w.]+(?::[\w.]+)?[\"']?,?[ \t]*(?:\n|\Z))+)", re.M)
PLUGIN = re.compile(r"[\w.-]+[\"']?\s*=\s*[\"']?([A-Za-z_][\w.]*(?::[A-Za-z_][\w.]*)?)")
SCRIPT = re.compile(r"([\w.-]+)[\"']?\s*=\s*[\"']?([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)")


def read_scripts(text: str) -> Dict[str, str]:
    """The function behind each command, as `module:name`."""
    sections = ("".join(match) for match in SECTION.findall(text))
    return {name: target for section in sections for name, target in SCRIPT.findall(section)}


def read_entry_points(text: str) -> Dict[str, List[str]]:
    """What stands behind each group of entry points, as `module:name` or `module`."""
    found: Dict[str, List[str]] = {}
    for group, plugins in [*GROUP.findall(text), *LISTED_GROUP.findall(text)]:
        found.setdefault(group, []).extend(PLUGIN.findall(plugins))
    return found


def read_django_settings(text: str) -> List[str]:
    """The settings module that pytest-django loads before the tests."""
    return re.findall(r"(?:DJANGO_SETTINGS_MODULE[\"']?\s*=\s*|--ds[= ])[\"']?([A-Za-z_][\w.]*)", text)
