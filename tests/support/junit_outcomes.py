"""Prints the outcomes in one of pytest's JUnit reports: python junit_outcomes.py REPORT

A JSON object, node id to outcome. Run it in the directory in which pytest ran: a report says
"tests.test_user.TestLogin", and only the files show where the module ends and the class begins.
"""

import json
import os
import sys
from xml.etree import ElementTree

SEVERITY = ["passed", "skipped", "error", "failed"]


def node_id(case):
    parts = case.get("classname").split(".")
    for end in range(len(parts), 0, -1):
        file = "/".join(parts[:end]) + ".py"
        if os.path.exists(file):
            return "::".join([file, *parts[end:], case.get("name")])
    # Something that was never collected: the name is the dotted module.
    return case.get("name").replace(".", "/") + ".py"


def outcome(case):
    for tag, word in (("error", "error"), ("failure", "failed"), ("skipped", "skipped")):
        if case.find(tag) is not None:
            return word
    return "passed"


outcomes = {}
for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
    key = node_id(case)
    outcomes[key] = max(outcomes.get(key, "passed"), outcome(case), key=SEVERITY.index)
json.dump(outcomes, sys.stdout)
