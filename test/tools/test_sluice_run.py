"""The command line of sluice-run: exit statuses, files, JSON, messages. The files are those of test/compat/v1."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))
SAMPLE = ROOT / "test" / "compat" / "v1"
PROGRAM, KEYS = SAMPLE / "sample.sluice", SAMPLE / "eval.keys"
INPUTS = (SAMPLE / "x.ct", SAMPLE / "y.ct")


def run(*words, expect=0, **environment):
    command = [str(BUILD / "bin" / "sluice-run"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert done.returncode == expect, done.stderr
    if expect:
        assert done.stdout == ""
    return done


def error(*words, **environment):
    """The message of a run that fails."""
    text = run(*words, expect=1, **environment).stderr
    assert text.startswith("sluice-run: error: ") and text.endswith("\n")
    return text.removeprefix("sluice-run: error: ").removesuffix("\n")


@pytest.mark.parametrize(
    "words, message",
    [
        ([], "no program was given"),
        ([PROGRAM], "no input was given"),
        ([PROGRAM, *INPUTS], "no output was given (-o FILE)"),
        ([PROGRAM, *INPUTS, "-o"], "-o needs a value"),
        ([PROGRAM, *INPUTS, "-o", "y.ct", "--fast"], "unknown option '--fast'"),
        (
            [PROGRAM, *INPUTS, "-o", "y.ct", "--repeat", "0"],
            "--repeat needs a number from 1 to 1000000, not '0'",
        ),
    ],
)
def test_usage_is_status_2(words, message):
    text = run(*words, expect=2).stderr
    assert text.startswith(f"sluice-run: {message}\nusage: sluice-run PROGRAM.sluice")


def test_help_and_version():
    assert run("--help").stdout.startswith("usage: sluice-run PROGRAM.sluice")
    assert run("--version").stdout.startswith("sluice-run ")


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("option", [[], ["--check"]])
def test_computes_the_same_file(tmp_path, threads, option):
    done = run(PROGRAM, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct", *option, SLUICE_THREADS=threads)
    assert (done.stdout, done.stderr) == ("", "")
    assert (tmp_path / "r.ct").read_bytes() == (SAMPLE / "result.ct").read_bytes()


def test_scalar_kernels_compute_the_same_file(tmp_path):
    words = (PROGRAM, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct", "--json")
    assert "scalar" in json.loads(run(*words, SLUICE_CPU="scalar").stdout)["backend"]
    assert (tmp_path / "r.ct").read_bytes() == (SAMPLE / "result.ct").read_bytes()


def test_json_says_what_it_cost(tmp_path):
    words = (PROGRAM, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct", "--json", "--repeat", "2")
    cost = json.loads(run(*words, SLUICE_THREADS="1").stdout)
    assert cost["program"] == "sample"
    assert cost["backend"].startswith("cpu, ") and cost["backend"].endswith(", 1 thread")
    assert cost["constants"] == 1
    assert cost["constant_bytes"] == 2 * 64 * 8
    assert cost["key_bytes"] == 2 * 2 * 2 * 5 * 64 * 8  # keys, halves, digits, limbs, N, bytes
    assert cost["arena_bytes"] == 60 * 64 * 8
    assert cost["peak_memory_bytes"] > cost["key_bytes"] + cost["arena_bytes"]
    assert cost["allocations"] == 0, "the second run allocates nothing"
    assert len(cost["runs_ms"]) == 2 and cost["runs_ms"][-1] == cost["compute_ms"]
    for name in ("time_ms", "compute_ms", "load_ms", "encode_ms", "keys_ms"):
        assert cost[name] >= 0
    calls = {entry["name"]: entry["calls"] for entry in cost["functions"]}
    assert calls["inner_product"] == 2
    assert calls["automorphism"] == 2
    assert "negate" not in calls


def test_peak_memory_is_not_that_of_whoever_starts_it(tmp_path):
    """ru_maxrss, which exec hands down, would be."""
    words = [BUILD / "bin" / "sluice-run", PROGRAM, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct", "--json"]
    large_parent = "import subprocess, sys; large = b'x' * (300 << 20); subprocess.run(sys.argv[1:], check=True)"
    command = [sys.executable, "-c", large_parent, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 0 < json.loads(done.stdout)["peak_memory_bytes"] < 100e6


def test_first_run_does_allocate(tmp_path):
    words = (PROGRAM, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct", "--json")
    assert json.loads(run(*words).stdout)["allocations"] > 0


def test_names_what_is_missing(tmp_path):
    out = ("-o", tmp_path / "r.ct")
    assert error(PROGRAM, *INPUTS, *out) == "program 'sample' needs evaluation keys"
    assert error(PROGRAM, "--keys", KEYS, INPUTS[0], *out) == "input 'y' of 'sample' is missing"
    absent = tmp_path / "absent.ct"
    message = error(PROGRAM, "--keys", KEYS, absent, *out)
    assert message == f"{absent}: cannot open: No such file or directory"
    message = error(PROGRAM, "--keys", KEYS, *INPUTS, *out, "-o", tmp_path / "s.ct")
    assert message == "'sample' has 1 outputs, but -o was given 2 times"
    assert not (tmp_path / "r.ct").exists()


def test_refuses_a_file_of_another_kind(tmp_path):
    message = error(KEYS, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct")
    assert str(KEYS) in message and "program" in message


def test_refuses_a_truncated_program(tmp_path):
    short = tmp_path / "short.sluice"
    short.write_bytes(PROGRAM.read_bytes()[:-100])
    assert str(short) in error(short, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct")


def test_refuses_wrong_settings(tmp_path):
    words = (PROGRAM, "--keys", KEYS, *INPUTS, "-o", tmp_path / "r.ct")
    assert error(*words, SLUICE_THREADS="many") == "SLUICE_THREADS is 'many'; it must be a number from 1 to 1024"
    assert "abacus" in error(*words, SLUICE_CPU="abacus")
