"""sluice-calibrate and `sluice calibrate`: usage and, slow, what they measure against what programs take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
ATTEMPTS = 3  # other work on the machine makes single measurements worthless
TOLERANCE = 0.25


def tool(*words: object) -> subprocess.CompletedProcess[str]:
    command = [str(BUILD / "bin" / "sluice-calibrate"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [[], ["-o"], ["costs.json"], ["-o", "costs.json", "more"], ["--fast"]])
def test_usage_is_status_2(words):
    done = tool(*words)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(
        "sluice-calibrate: give -o and the name of the file to write\nusage: sluice-calibrate"
    )


def test_help_and_version():
    assert tool("--help").stdout.startswith("usage: sluice-calibrate -o COSTS.json")
    assert tool("--version").stdout.startswith("sluice-calibrate ")


@pytest.mark.slow
def test_writes_where_it_is_told_within_twenty_seconds(tmp_path):
    from sluice.cli.calibrate import default_cost_file  # in this process, the name only

    environment = {**ENVIRONMENT, "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "sluice", "calibrate", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["output"] == str(tmp_path / "sluice" / "costs.json")
    print(f"calibrated in {said['calibrate_ms'] / 1000:.1f} s")
    costs = json.loads((tmp_path / "sluice" / "costs.json").read_text())
    assert costs["format"] == "sluice-costs" and costs["tables"][0]["threads"] == 1
    assert default_cost_file().name == "costs.json"


@pytest.mark.slow
def test_forecasts_are_within_a_quarter_of_what_programs_take():
    """Fails only if no attempt of three has every program within the tolerance; says what each measured."""
    attempts: list[list[dict[str, Any]]] = []
    for _ in range(ATTEMPTS):
        command = [sys.executable, "bench/programs/forecast.py", "--build", str(BUILD)]
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        figures = json.loads(done.stdout)
        for figure in figures:
            print(f"{figure['name']}: forecast {figure['forecast_ms']:.2f} ms, measured {figure['real_time']:.2f} ms")
        attempts.append(figures)
        if all(abs(figure["forecast_ms"] / figure["real_time"] - 1) <= TOLERANCE for figure in figures):
            return
    pytest.fail(f"no attempt has every forecast within {TOLERANCE:.0%}: {attempts}")
