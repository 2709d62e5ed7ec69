"""Programs for CUDA devices where there is none: their device code, compiled for the host, on the emulated device.

nvcc is not needed: a script takes its place. The device code of the artifact, which the emulated device does not look
at, is then a line of text.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import sluice as sl
from sluice import errors
from sluice.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
NVCC = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo 'no device code' > "$2"
"""


def weighted(x, y):
    """Rotations, products of ciphertexts, with a constant and with a number, and a sum."""
    return (x * y + 0.5 * x) * np.array([0.5, -1.0, 0.25, 1.0]), (x * x * y).sum()


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> sl.Program:
    nvcc = tmp_path_factory.mktemp("nvcc") / "nvcc"
    nvcc.write_text(NVCC)
    nvcc.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_NVCC", str(nvcc))
        secret = sl.Secret(4, range=(-1, 1))
        return sl.compile(weighted, secret, secret, log_n=11, insecure=True, target="cuda")


@pytest.fixture(scope="module")
def device(program, tmp_path_factory) -> str:
    """The name of an emulated device with the program's kernels."""
    folder = tmp_path_factory.mktemp("device")
    source, module = folder / "kernels.cpp", folder / "kernels.so"
    source.write_text(program.device_source())
    compiler = next(path for name in ("g++", "clang++", "clang++-22") if (path := shutil.which(name)))
    command = [compiler, "-O1", "-shared", "-fPIC", "-std=c++17", "-DSLUICE_CUDA_HOST_SHIM", f"-I{ROOT}"]
    subprocess.run([*command, str(source), "-o", str(module)], check=True)
    return f"emulated:{module}"


@pytest.fixture(scope="module")
def client(program) -> sl.Client:
    return sl.Client(program.manifest, insecure=True)


X, Y = np.array([0.5, -0.25, 1.0, 0.75]), np.array([1.0, 0.5, -0.5, -1.0])


def test_residues_are_those_of_the_cpu(program, device, client):
    inputs = client.encrypt_all([X, Y])
    server = sl.Server(program, client.evaluation_keys, device=device)
    assert server.backend == device.replace(":", ", ")
    expected = sl.Server(program, client.evaluation_keys).run(inputs)
    for _ in range(2):
        assert [result.to_bytes() for result in server.run(inputs)] == [result.to_bytes() for result in expected]
    for got, wanted in zip(client.decrypt_all(expected), program.simulate(X, Y), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=2**-12)


def test_the_command_runs_on_a_device(program, device, client, tmp_path):
    program.save(tmp_path / "program.sluice")
    client.save(tmp_path / "keys")
    paths = [tmp_path / "x.ct", tmp_path / "y.ct"]
    for ciphertext, path in zip(client.encrypt_all([X, Y]), paths, strict=True):
        ciphertext.save(path)
    command = ["run", str(tmp_path / "program.sluice"), *map(str, paths), "--keys", str(tmp_path / "keys/eval.keys")]
    results = {}
    for name in ("cpu", device):
        outputs = [tmp_path / f"{name[:3]}{k}.ct" for k in range(2)]
        arguments = [*command, *(part for path in outputs for part in ("-o", str(path))), "--device", name, "--json"]
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["backend"].startswith(name[:3])
        results[name] = [path.read_bytes() for path in outputs]
    assert results["cpu"] == results[device]


def test_refusals(program, client):
    with pytest.raises(errors.InvalidArgumentError, match="there is no device 'tpu': it is 'cpu' or 'cuda'"):
        sl.Server(program, client.evaluation_keys, device="tpu")
    plain = sl.compile(lambda x: 2 * x, sl.Secret(1, range=(-1, 1)), name="twice")
    with pytest.raises(errors.MismatchError, match=r"twice.*compile it with --target=cuda to run it on a GPU"):
        sl.Server(plain, device="cuda")
