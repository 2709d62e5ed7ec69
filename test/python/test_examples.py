"""The examples run as they stand; they assert their own results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sluice as package

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).absolute().parents[1])}


@pytest.mark.parametrize("name", ["01_first_circuit.py", "02_levels_and_scales.py", "03_matrix.py"])
def test_example(name):
    command = [sys.executable, str(EXAMPLES / name)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "128 bits: log QP" in done.stdout


@pytest.mark.slow
def test_demo(tmp_path):
    """Predictions of all 114 rows are the twin's; what went to disk says the same as the table."""
    command = [sys.executable, str(EXAMPLES / "breast_cancer.py"), "--repeat", "2"]
    environment = {**ENVIRONMENT, "SLUICE_DEMO": str(tmp_path / "demo")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "demo/result.json").read_text())
    assert result["identical_predictions"] and result["worst_slot_bits"] > 15
    assert result["encryption_key"] == "public.key" and result["encryptions"] == 17
    assert abs(result["bits"] - result["forecast"]["precision_bits"]) < 2
    assert f"forecast {result['forecast']['precision_bits']:.1f}" in done.stdout
    assert result["backend"] in done.stdout
    assert result["accuracy"]["encrypted"] == result["accuracy"]["clear"] > 0.95
    assert not list((tmp_path / "demo/server").rglob("secret.key"))
