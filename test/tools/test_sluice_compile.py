"""The command line of sluice-compile, and programs from settled text to residues."""

import json
import os
import re
from math import prod

import numpy as np
import pytest

import ckks
from residues import ROOT, compile_settled, read_ciphertext, read_keys, read_params, run_encrypted, tool

RATIONAL = ROOT / "test" / "tools" / "Inputs" / "rational-rescale.mlir"
EVERY = ROOT / "test" / "tools" / "Inputs" / "every-operation.mlir"


# --- The command line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Not enough positional command line arguments"),
        (("x.mlir", "--from=done"), "no phase is called 'done'; see sluice-compile --help"),
        (("x.mlir", "--to=done"), "no phase is called 'done'"),
        (
            ("x.mlir", "--to=rns", "--emit-manifest=m"),
            "--emit-manifest needs --to=artifact: earlier phases have no manifest",
        ),
    ],
)
def test_wrong_usage_is_status_2(words, message):
    done = tool("sluice-compile", *words, expect=2)
    assert done.stdout == ""
    assert message in done.stderr


def test_errors_are_status_1_with_file_and_line(tmp_path):
    done = tool("sluice-compile", tmp_path / "absent.mlir", expect=1)
    assert done.stderr == (f"sluice-compile: error: cannot read {tmp_path}/absent.mlir: No such file or directory\n")
    source = tmp_path / "bad.mlir"
    source.write_text("func.func @f() {\n  return %x : f64\n}\n")
    done = tool("sluice-compile", source, expect=1)
    assert done.stderr.startswith(f"{source}:2:10: error: use of undeclared SSA value name")
    assert not (tmp_path / "bad.sluice").exists()
    done = compile_settled(RATIONAL, "--to=packed", expect=1)
    assert done.stderr == (
        "error: cannot compile from phase settled to phase packed: the first must come before the second\n"
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--precision=-5", "precision must be between 1 and 50 bits, not -5"),
        ("--precision=nan", "precision must be between 1 and 50 bits, not nan"),
        ("--comparison-gap=1", "comparison-gap must be at least 0 and less than 1; found 1"),
        ("--comparison-gap=nan", "comparison-gap must be at least 0 and less than 1; found nan"),
        ("--batch=-3", "batch must not be negative; found -3"),
        ("--log-n=-1", "log-n must be at most 17, or 0 for the smallest that is secure; found -1"),
        ("--log-n=18", "log-n must be at most 17, or 0 for the smallest that is secure; found 18"),
    ],
)
def test_numbers_out_of_bounds_are_refused(option, message):
    assert compile_settled(RATIONAL, option, "--to=rns", expect=1).stderr == f"error: {message}\n"


def test_given_parameters_that_are_too_small_for_the_precision(tmp_path):
    source = tmp_path / "narrow.mlir"
    source.write_text(
        "#given = #ckks.params<logN = 10, limbs = [1099511795713, 4294991873, 1125899906826241, 1125899906629633], "
        "special = [2, 3], levels = [[0], [0, 1]], digits = [[0, 1]], slots = 8, security = 0>\n"
        "module attributes {ckks.params = #given} {\n"
        "func.func @f(%x: tensor<8xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<8xf64> {\n"
        "  %0 = arith.mulf %x, %x : tensor<8xf64>\n  return %0 : tensor<8xf64>\n}\n}\n"
    )
    tool("sluice-compile", source, "--precision=16", "--insecure", "-o", tmp_path / "narrow.sluice")
    done = tool("sluice-compile", source, "--precision=30", "--insecure", "-o", tmp_path / "narrow.sluice", expect=1)
    assert re.fullmatch(
        rf"{source}:2:1: error: the forecast is 2\d\.?\d? bits of precision; 30 were asked for: "
        "give ckks.params larger levels, or ask for less\n",
        done.stderr,
    )


def test_files_that_cannot_be_written(tmp_path):
    absent = tmp_path / "absent" / "p.sluice"
    done = compile_settled(RATIONAL, "-o", absent, expect=1)
    assert done.stderr == f"sluice-compile: error: cannot write {absent}: No such file or directory\n"
    done = compile_settled(RATIONAL, "-o", tmp_path / "p.sluice", "--emit-manifest", absent, expect=1)
    assert done.stderr == f"sluice-compile: error: cannot write {absent}: No such file or directory\n"
    environment = os.environ | {"TMPDIR": str(absent.parent)}
    done = compile_settled(RATIONAL, "-o", tmp_path / "p.sluice", expect=1, env=environment)
    assert done.stderr.endswith("error: cannot create a temporary folder: No such file or directory\n")


def test_every_phase_is_text_that_compiles_to_the_same_artifact(tmp_path):
    compile_settled(RATIONAL, "-o", tmp_path / "direct.sluice")
    direct = (tmp_path / "direct.sluice").read_bytes()
    for phase in ("rns", "fused", "llvm"):
        text = compile_settled(RATIONAL, f"--to={phase}").stdout
        (tmp_path / "stage.mlir").write_text(text)
        words = (f"--from={phase}", tmp_path / "stage.mlir", "-o", tmp_path / "resumed.sluice")
        tool("sluice-compile", *words)
        assert (tmp_path / "resumed.sluice").read_bytes() == direct


def test_reports(tmp_path):
    output = tmp_path / "p.sluice"
    words = ("-o", output, "--name=renamed", "--emit-manifest", tmp_path / "m.json", "--json", "-v")
    done = compile_settled(RATIONAL, *words)
    manifest = json.loads((tmp_path / "m.json").read_text())
    assert manifest["program"]["name"] == "renamed"
    assert [tensor["name"] for tensor in manifest["inputs"]] == ["x", "y"]
    assert manifest["outputs"][0]["scale"]["exact"] == "2^100 * q1^-1 * q2^-1 * q4"
    report = json.loads(done.stdout)
    assert report["circuit_operations"]["rotate"] == 1
    assert report["artifact_bytes"] == output.stat().st_size
    # The key of level 1 has 2 + 3 limbs and 2 digits, that of level 0 has 2 + 2 limbs and 2 digits.
    assert report["key_bytes"] == (5 * 2 + 4 * 2) * 8 * 8 == manifest["forecast"]["key_bytes"]
    assert "security    INSECURE" in done.stderr
    assert "remark: arena of" in done.stderr


def test_diagnostics_are_the_message_and_not_the_operation(tmp_path):
    """MLIR would print the whole function below a remark or a refusal of the verifier."""
    verbose = compile_settled(RATIONAL, "-v", "-o", tmp_path / "p.sluice").stderr.splitlines()
    assert re.fullmatch(r".*rational-rescale\.mlir:\d+:3: remark: arena of \d+ slots, \d+ bytes.*", verbose[0])
    assert verbose[1].startswith("program     rational")
    assert "remark" not in compile_settled(RATIONAL, "-o", tmp_path / "p.sluice").stderr
    source = tmp_path / "bad.mlir"
    source.write_text("func.func @f(%x: !ckks.ct) {\n  %0 = ckks.rescale %x : !ckks.ct\n  return\n}\n")
    error, note = compile_settled(source, expect=1).stderr.splitlines()
    assert f"{source}:2:8: error: 'ckks.rescale' op needs" in error
    assert f"{source}:1:14: note: the operand comes from here: '!ckks.ct'" == note


def test_input_from_stdin_goes_to_stdout():
    done = compile_settled("-", "--to=rns", input=RATIONAL.read_text())
    assert "rns.rescale" in done.stdout


# --- Programs under encryption ------------------------------------------------------------------


VALUES = {"x": [0.5, -0.25, 1.0, -0.75], "y": [0.125, 0.5, -1.0, 0.25]}


def test_every_operation(tmp_path):
    manifest = run_encrypted(EVERY, tmp_path, VALUES, ["z", "same"])
    x, y = (np.array(vector) for vector in VALUES.values())
    a = x * [2, 2, -1, -1] + 0.25 * x + 0.5
    c = np.roll(a * y - y**2, -3)
    z = 2 * (-c + [1, 2, 3, 4])
    # A key switch or a rescale leaves about 2^5 in a coefficient, at a scale of 2^40.
    assert np.abs(np.load(tmp_path / "z.npy") - z).max() < 2**-28
    assert np.abs(np.load(tmp_path / "same.npy") - c).max() < 2**-28
    # The twin, complex slots and all, foresees it. Its secret is random, this ring's is 8 coefficients.
    assert manifest["forecast"]["precision_bits"] > 28
    assert manifest["forecast"]["key_switches"] == 3


# --- Residues against the reference -------------------------------------------------------------


@pytest.fixture
def rational(tmp_path):
    """The program that rescales to a level that is not nested, run on two encrypted vectors."""
    manifest = run_encrypted(RATIONAL, tmp_path, VALUES, ["z"])
    params = read_params(manifest, ((1, 2), (3,), (4,)))
    return params, tmp_path


def test_a_rescale_that_drops_two_limbs_and_adds_one_equals_the_reference(rational):
    params, folder = rational
    x, y = (read_ciphertext(params, folder / f"{name}.ct") for name in VALUES)
    (_, relinearization, relinearize), (_, rotation, rotate) = read_keys(params, folder / "keys" / "eval.keys")
    assert relinearization.digits == ((1, 2), (3,))  # limb 4 is at level 0 only
    assert rotation.digits == ((3,), (4,))
    # The relinearisation is absorbed and its division merged with the rescale (sink-divisions): P c + u, divided once.
    d0, d1, d2 = ckks.mul_ct(params, x, y).parts
    special, top, bottom = (
        params.primes(limbs) for limbs in (params.special, params.levels[x.level], params.levels[0])
    )
    raised = prod(special) * prod(top)
    parts = []
    for half, switched in zip((d0, d1), ckks.inner_product(relinearization, d2, x.level, relinearize), strict=True):
        total = ckks.add(ckks.scale_by(half, prod(special), raised), switched, raised)
        parts.append(ckks.rescale(total, top + special, bottom))
    # The textbook's rotation: the rules of hoist leave every residue as it is.
    expected = ckks.rotate(rotation, ckks.Ciphertext(tuple(parts), 0, 1), 1, rotate)
    found = read_ciphertext(params, folder / "z.ct")
    assert found.level == 0
    assert found.parts == expected.parts


def test_its_value_is_the_rotated_product(rational):
    _, folder = rational
    product = np.roll(np.multiply(VALUES["x"], VALUES["y"]), -1)
    # Noise: about 2^10 of encryption and key switch at a scale of 2^80, so far below 2^-25.
    assert np.abs(np.load(folder / "z.npy") - product).max() < 2**-25
