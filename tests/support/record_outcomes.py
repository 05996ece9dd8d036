"""Runs pytest and writes down what it reports: python record_outcomes.py ARGUMENTS...

The ground truth of the fixture tests: shares no code with the plugin that it checks.
One JSON object a line on stdout, written at once, so that a crash loses nothing.
"""

import json
import os
import sys

import pytest


class Recorder:
    def __init__(self, file):
        self.file = file

    def say(self, **event):
        self.file.write(json.dumps(event) + "\n")
        self.file.flush()

    def pytest_collection_modifyitems(self, items):
        self.say(event="collected", ids=[item.nodeid for item in items])

    def pytest_collectreport(self, report):
        if report.outcome != "passed":
            self.say(event="not_collected", id=report.nodeid, outcome=report.outcome)

    def pytest_runtest_logstart(self, nodeid):
        self.say(event="begin", id=nodeid)

    def pytest_runtest_logreport(self, report):
        self.say(
            event="report",
            id=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            xfail=hasattr(report, "wasxfail"),
        )


if __name__ == "__main__":
    # stdout belongs to the record: whatever pytest and the tests print goes to stderr.
    record = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # As `python -m pytest` does it.
    sys.path[0] = os.getcwd()
    recorder = Recorder(record)
    code = pytest.main(sys.argv[1:], plugins=[recorder])
    recorder.say(event="exit", code=int(code))
