"""Reads argument lists with pytest's own parser: one JSON list a line in, what pytest made of it out."""

import json
import sys

import _pytest.config
import _pytest.config.argparsing


def add_options_of_plugins(parser: _pytest.config.argparsing.Parser) -> None:
    """As pytest-xdist and pytest-cov declare them: a run that uses one does not start without its plugin."""
    group = parser.getgroup("plugins")
    group.addoption("--numprocesses")
    group.addoption("--cov", action="append", default=[], nargs="?", const=True, dest="cov_source")
    group.addoption("--cov-reset", action="store_const", const=[], dest="cov_source")
    group.addoption("--cov-report", action="append", default=[])
    group.addoption("--cov-branch", action="store_true", default=None)
    group.addoption("--cov-fail-under")


def main() -> None:
    parser = _pytest.config.get_config([])._parser
    add_options_of_plugins(parser)
    defaults = vars(parser.parse_known_and_unknown_args([])[0])
    opened = []  # type: list
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    for line in sys.stdin:
        namespace, unknown = parser.parse_known_and_unknown_args(json.loads(line))
        changed = {name: value for name, value in vars(namespace).items() if value != defaults.get(name)}
        print(json.dumps({"changed": changed, "unknown": unknown, "opened": opened}))
        del opened[:]


main()
