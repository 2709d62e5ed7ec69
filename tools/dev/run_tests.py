"""Run the test suites and print one line each, then 'N passed, N failed, N skipped'.

Suites: lit (the .mlir tests and every GoogleTest binary) and pytest (reference, Python package, tools, end to end).
Skipped tests are named with their reason. Exits 1 when anything failed or when a suite ran no test.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIT = "/usr/lib/llvm-22/bin/lit"


@dataclass
class Result:
    """Counts of one suite; `skips` holds 'name: reason'."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    skips: list[str] = field(default_factory=list)

    def line(self) -> str:
        return (
            f"{self.name:<10} {self.passed} passed, {self.failed} failed, "
            f"{self.skipped} skipped in {self.seconds:.0f} s"
        )


def run_lit(build: Path, slow: bool) -> Result:
    """Run lit over build/test; its own output shows the failures."""
    report = build / "lit.json"
    report.unlink(missing_ok=True)
    command = [LIT, "--succinct", "--verbose", "--output", str(report), f"-j{os.cpu_count()}"]
    if slow:
        command += ["--param", "slow=1"]
    started = time.monotonic()
    subprocess.run([*command, str(build / "test")], check=False)
    result = Result("lit", seconds=time.monotonic() - started)
    if not report.exists():
        result.failed = 1
        return result
    for test in json.loads(report.read_text())["tests"]:
        code = test["code"]
        if code in ("PASS", "XFAIL", "FLAKYPASS"):
            result.passed += 1
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            result.skipped += 1
            reason = (test.get("output") or "").strip().splitlines()
            result.skips.append(f"{test['name']}: {reason[-1] if reason else code.lower()}")
        else:
            result.failed += 1
    return result


def run_pytest(build: Path, slow: bool) -> Result:
    """Run pytest over test/; markers `slow` are left out unless asked for."""
    report = build / "pytest.xml"
    report.unlink(missing_ok=True)
    environment = dict(os.environ, SLUICE_BUILD=str(build))
    command = [sys.executable, "-m", "pytest", "-q", "--junitxml", str(report), "test"]
    command += ["-m", "slow or not slow"] if slow else ["-m", "not slow"]
    started = time.monotonic()
    subprocess.run(command, cwd=ROOT, env=environment, check=False)
    result = Result("pytest", seconds=time.monotonic() - started)
    if not report.exists():
        result.failed = 1
        return result
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            result.failed += 1
        elif skip is not None:
            result.skipped += 1
            name = f"{case.get('classname')}.{case.get('name')}"
            result.skips.append(f"{name}: {skip.get('message', '')}")
        else:
            result.passed += 1
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder, e.g. build/dev")
    parser.add_argument("--slow", action="store_true", help="also the slow tests")
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    results = [run_lit(build, arguments.slow), run_pytest(build, arguments.slow)]
    print()
    for result in results:
        for skip in result.skips:
            print(f"skipped: {skip}")
    for result in results:
        print(result.line())
    passed, failed, skipped = (
        sum(getattr(result, kind) for result in results) for kind in ("passed", "failed", "skipped")
    )
    empty = [result.name for result in results if result.passed + result.failed == 0]
    for name in empty:
        print(f"{name} ran no test")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or empty else 0


if __name__ == "__main__":
    sys.exit(main())
