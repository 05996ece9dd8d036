"""Reads argument lists with pytest's own parser: one JSON list a line in, what pytest made of it out."""

import json
import sys

import _pytest.config


def main() -> None:
    parser = _pytest.config.get_config([])._parser
    defaults = vars(parser.parse_known_and_unknown_args([])[0])
    opened = []  # type: list
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    for line in sys.stdin:
        namespace, unknown = parser.parse_known_and_unknown_args(json.loads(line))
        changed = {name: value for name, value in vars(namespace).items() if value != defaults.get(name)}
        print(json.dumps({"changed": changed, "unknown": unknown, "opened": opened}))
        del opened[:]


main()
