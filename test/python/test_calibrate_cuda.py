"""`sluice calibrate --target=cuda` on an emulated device, and forecasts by a device's costs. No GPU is needed."""

from __future__ import annotations

import ctypes.util
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import sluice as sl
from sluice import _compiler, _sluice
from sluice.cli.app import app
from sluice.cli.calibrate import default_cost_file
from sluice.errors import InvalidArgumentError, NotFoundError
from test_costs import FAMILIES, compiled, cost_file, manifest, negated

SOURCE = Path(__file__).resolve().parents[2]
NVCC = shutil.which("nvcc") or next(iter(SOURCE.glob(".venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc")), None)


def calibrate(*words: object) -> Any:
    return CliRunner().invoke(app, ["calibrate", *map(str, words)])


def device_cost_file(path: Path, launch_ns: float, ns: float, **others: float) -> Path:
    costs = json.loads(cost_file(path, ns, **others).read_text())
    costs["tables"][0]["launch_ns"] = launch_ns
    path.write_text(json.dumps(costs))
    return path


def test_one_degree_is_compiled_and_timed(host_nvcc, tmp_path):
    code = _compiler.calibration_code(12)
    assert not code.diagnostics
    (tmp_path / "m12.so").write_bytes(code.bytes)
    calibration = _sluice.DeviceCalibration(f"emulated:{tmp_path}/m")
    calibration.measure(12, code.bytes, samples=1, sample_ms=0)
    with pytest.raises(InvalidArgumentError, match=r"degree 2\^13 was not measured"):
        calibration.file()
    with pytest.raises(NotFoundError, match=r"m13\.so"):
        calibration.measure(13, code.bytes)


@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_nvcc_compiles_the_kernels(monkeypatch):
    monkeypatch.setenv("SLUICE_CUDA_ARCHITECTURES", "sm_90,compute_86")  # doubles, and integers
    code = _compiler.calibration_code(16)
    assert not code.diagnostics
    assert code.bytes[:4] == b"\x50\xed\x55\xba"  # of every fat binary


@pytest.mark.skipif(ctypes.util.find_library("cuda") is not None, reason="there is a GPU's driver")
def test_without_a_gpu_the_drivers_message_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICE_NVCC", os.devnull)
    done = calibrate("--target=cuda", "-o", tmp_path / "c.json")
    assert done.exit_code == 1
    assert "no CUDA device: libcuda.so.1 is not installed" in str(done.exception) + done.output
    assert not (tmp_path / "c.json").exists()


def test_without_nvcc_the_compilers_message_comes(tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICE_NVCC", os.devnull)
    done = calibrate("--target=cuda", f"--device=emulated:{tmp_path}/m", "-o", tmp_path / "c.json")
    assert done.exit_code == 1
    assert f"compiling device code with {os.devnull} failed" in str(done.exception) + done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words, message",
    [
        (["--target=tpu"], "--target must be cpu or cuda, not tpu"),
        (["--device=cuda"], "--device needs --target cuda"),
        (["--target=cuda", "--device=cpu"], "--device must be cuda or emulated:PREFIX, not cpu"),
    ],
)
def test_wrong_usage_is_status_2(words, message):
    done = calibrate(*words)
    assert done.exit_code == 2 and message in " ".join(done.output.split())


def test_a_device_has_a_default_place_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_cost_file() == tmp_path / "sluice" / "costs.json"
    assert default_cost_file("cuda") == tmp_path / "sluice" / "costs-cuda.json"


def test_launches_are_in_the_forecast(tmp_path):
    without = compiled(negated, device_cost_file(tmp_path / "a.json", 0, 2, negate=3))
    program = compiled(negated, device_cost_file(tmp_path / "b.json", 250, 2, negate=3))
    described = manifest(program)
    text = program.stage("fused").text
    launches = text.count("rns.limb_kernel") or text.count("rns.negate")
    words = len(described["levels"][0]) << described["ring"]["log_n"]
    # Two polynomials to the device and two back at 2 ns a residue; two negations at 3 ns.
    kernels_ms = (4 * 2 + 2 * 3) * words * 1e-6
    assert manifest(without)["forecast"]["time_ms"] == pytest.approx(kernels_ms)
    assert described["forecast"]["time_ms"] == pytest.approx(kernels_ms + launches * 250e-6)


def test_a_launch_below_zero_is_refused(tmp_path):
    with pytest.raises(sl.SluiceError, match=r"tables\[0\].launch_ns: -1 is not in 0 to 1e\+09"):
        compiled(negated, device_cost_file(tmp_path / "c.json", -1, 2))


@pytest.mark.slow
def test_the_whole_command_on_an_emulated_device(host_nvcc, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    done = calibrate("--target=cuda", f"--device=emulated:{tmp_path}/m", "--json")
    assert done.exit_code == 0, done.output
    path = tmp_path / "config" / "sluice" / "costs-cuda.json"
    assert json.loads(done.stdout)["output"] == str(path)
    costs = json.loads(path.read_text())
    assert (costs["cpu"], costs["kernels"]) == ("emulated", "cuda fp64")
    (table,) = costs["tables"]
    assert table["threads"] == 1 and table["launch_ns"] > 0
    assert table["reach"] == [[[1, 1.0]]] * 5
    assert list(table["ns"]) == FAMILIES
    assert manifest(compiled(negated, path))["forecast"]["time_ms"] > 0
