"""The `sluice` command: every step through files, in processes of its own; exit statuses; JSON."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sluice as package

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).absolute().parents[1]), "COLUMNS": "200"}


def sluice(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sluice", *arguments]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def succeed(folder: Path, *arguments: str) -> dict:
    done = sluice(folder, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> tuple[Path, Path]:
    """A client's and a server's folder after compile and keygen; the server never gets secret.key."""
    client, server = tmp_path_factory.mktemp("client"), tmp_path_factory.mktemp("server")
    model = f"{EXAMPLES / 'model.py'}:score"
    succeed(server, "compile", model, "-o", "score.sluice", "--batch", "5", "--manifest", "score.json")
    (client / "score.json").write_bytes((server / "score.json").read_bytes())
    succeed(client, "keygen", "score.json", "-o", "keys")
    (server / "eval.keys").write_bytes((client / "keys/eval.keys").read_bytes())
    return client, server


ROWS = np.linspace(-3, 3, 20).reshape(5, 4)


def test_compile_shows_what_it_chose_from(tmp_path):
    model = f"{EXAMPLES / 'model.py'}:score"
    done = sluice(tmp_path, "compile", model, "-o", "a.sluice", "-v")
    assert done.returncode == 0, done.stderr
    title, chosen, *others = done.stderr.splitlines()
    assert title.split("  ")[0] == "candidates"
    assert chosen.startswith("* N = 2^")
    assert "digit" in chosen
    assert any("refused: log QP" in row for row in others)
    said = sluice(tmp_path, "compile", model, "-o", "b.mlir", "--to", "planned", "--verbose")
    assert said.stderr == done.stderr
    entries = succeed(tmp_path, "compile", model, "-o", "c.sluice")["candidates"]
    assert [entry["verdict"] for entry in entries].count("chosen") == 1
    tried = [entry["time_ms"] for entry in entries if entry["verdict"] in ("chosen", "compared")]
    assert tried[0] == min(tried)


def test_compile_shows_why_nothing_fits(tmp_path):
    model = f"{EXAMPLES / 'model.py'}:score"
    done = sluice(tmp_path, "compile", model, "-o", "a.sluice", "-v", "--log-n", "12")
    assert done.returncode == 1
    assert re.search(r"N = 2\^12 .* refused: log QP \d+ is over the 106 that N = 2\^12 allows", done.stderr)
    assert "no parameters give 16 bits to a program of depth" in done.stderr


@pytest.mark.parametrize("key", ["public.key", "secret.key"])
@pytest.mark.parametrize("suffix", ["npy", "csv"])
def test_all_steps(folders, key, suffix):
    client, server = folders
    if suffix == "npy":
        np.save(client / "x.npy", ROWS)
    else:
        np.savetxt(client / "x.csv", ROWS, delimiter=",", fmt="%.17g")
    succeed(client, "encrypt", "score.json", "--key", f"keys/{key}", f"x.{suffix}", "-o", "x.ct")
    (server / "x.ct").write_bytes((client / "x.ct").read_bytes())
    said = succeed(server, "run", "score.sluice", "--keys", "eval.keys", "x.ct", "-o", "y.ct", "--repeat", "2")
    assert len(said["run_ms"]) == 2
    assert said["backend"].startswith("cpu, ")
    (client / "y.ct").write_bytes((server / "y.ct").read_bytes())
    succeed(client, "decrypt", "score.json", "--key", "keys/secret.key", "y.ct", "-o", f"y.{suffix}")
    result = np.load(client / "y.npy") if suffix == "npy" else np.loadtxt(client / "y.csv", delimiter=",")
    expected = 1 / (1 + np.exp(-(ROWS @ np.array([0.8, -0.4, 0.3, -0.1]) - 0.25)))
    np.testing.assert_allclose(result, expected, atol=2.0**-13)
    assert not list(server.rglob("secret.key"))


def test_keys_are_asked_for_only_where_they_are_needed(folders, tmp_path):
    client, server = folders
    np.save(client / "x.npy", ROWS)
    succeed(client, "encrypt", "score.json", "--key", "keys/secret.key", "x.npy", "-o", "x.ct")
    (server / "x.ct").write_bytes((client / "x.ct").read_bytes())
    done = sluice(server, "run", "score.sluice", "x.ct", "-o", "y.ct")
    assert (done.returncode, done.stderr) == (1, "sluice: program 'score' needs evaluation keys\n")

    (tmp_path / "shift.py").write_text(
        "import sluice as sl\n\n@sl.program(sl.Secret(4, range=(-1, 1)))\ndef shift(x):\n    return 0.5 * x + 0.25\n"
    )
    succeed(tmp_path, "compile", "shift.py:shift", "-o", "shift.sluice")
    assert succeed(tmp_path, "inspect", "shift.sluice")["evaluation_keys"] == []
    succeed(tmp_path, "keygen", "shift.sluice", "-o", "keys")
    np.save(tmp_path / "x.npy", [0.5, -0.5, 1, 0])
    succeed(tmp_path, "encrypt", "shift.sluice", "--key", "keys/public.key", "x.npy", "-o", "x.ct")
    succeed(tmp_path, "run", "shift.sluice", "x.ct", "-o", "y.ct")
    succeed(tmp_path, "decrypt", "shift.sluice", "--key", "keys/secret.key", "y.ct", "-o", "y.npy")
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), [0.5, 0, 0.75, 0.25], atol=2.0**-12)


def test_secret_key_is_private(folders):
    client, _ = folders
    assert stat.S_IMODE(os.stat(client / "keys/secret.key").st_mode) == 0o600
    assert stat.S_IMODE(os.stat(client / "keys").st_mode) == 0o700


def test_keygen_keeps_a_secret_key(folders):
    client, _ = folders
    succeed(client, "keygen", "score.json", "-o", "kept")
    before = {path.name: path.read_bytes() for path in (client / "kept").iterdir()}
    done = sluice(client, "keygen", "score.json", "-o", "kept")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "sluice: kept/secret.key: there is a secret key already, and replacing it loses all that was encrypted under "
        "it; use --force (in Python force=True) if you want that\n"
    )
    assert {path.name: path.read_bytes() for path in (client / "kept").iterdir()} == before
    succeed(client, "keygen", "score.json", "-o", "kept", "--force")
    assert all((client / "kept" / name).read_bytes() != old for name, old in before.items())


def test_inspect_knows_program_and_manifest(folders):
    client, server = folders
    assert succeed(client, "inspect", "score.json") == succeed(server, "inspect", "score.sluice")
    text = sluice(server, "inspect", "score.sluice").stdout
    for label in ("program", "security", "ring", "circuit", "input", "output", "keys", "arena"):
        assert f"\n{label}" in f"\n{text}"


def test_peak_memory_is_not_that_of_whoever_starts_it(folders):
    """ru_maxrss, which exec hands down, would be."""
    client, _ = folders
    large_parent = "import subprocess, sys; large = b'x' * (500 << 20); subprocess.run(sys.argv[1:], check=True)"
    command = [sys.executable, "-m", "sluice", "keygen", "score.json", "-o", "measured", "--json"]
    command = [sys.executable, "-c", large_parent, *command]
    done = subprocess.run(command, cwd=client, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert 0 < json.loads(done.stdout)["peak_memory_bytes"] < 300e6


def test_report_is_a_page(folders):
    _, server = folders
    succeed(server, "report", "score.sluice", "-o", "score.html")
    page = (server / "score.html").read_text()
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    assert "http" not in page and "<script" not in page  # self-contained


def test_mlir_files_and_phases(folders, tmp_path):
    model = f"{EXAMPLES / 'model.py'}:score"
    succeed(tmp_path, "compile", model, "-o", "traced.mlir", "--batch", "5", "--to", "traced")
    succeed(tmp_path, "compile", model, "-o", "settled.mlir", "--batch", "5", "--to", "settled")
    assert "!ckks.ct<level" in (tmp_path / "settled.mlir").read_text()
    from_function = succeed(tmp_path, "compile", model, "-o", "a.sluice", "--batch", "5")
    from_text = succeed(tmp_path, "compile", "traced.mlir", "-o", "b.sluice")
    from_settled = succeed(tmp_path, "compile", "settled.mlir", "-o", "c.sluice", "--from", "settled")
    assert from_function["manifest"] == from_text["manifest"] == from_settled["manifest"]


def test_errors_go_to_stderr_with_status_1(tmp_path):
    done = sluice(tmp_path, "inspect", "nothing.sluice")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("sluice: nothing.sluice: ")


def test_trace_errors_show_the_users_line(tmp_path):
    (tmp_path / "bad.py").write_text(
        "import sluice as sl\n\n@sl.program(sl.Secret(4, range=(-1, 1)))\n"
        "def score(x):\n    return x if x[0] > 0 else -x\n"
    )
    done = sluice(tmp_path, "compile", "bad.py:score", "-o", "bad.sluice")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "sluice: bad.py:5: the program branches on a secret value\n"
        "    return x if x[0] > 0 else -x\n"
        "                ^^^^^^^^\n"
        "fix: compute both branches and choose by sl.where(condition, a, b)\n"
    )
    assert not (tmp_path / "bad.sluice").exists()


@pytest.mark.parametrize("where", ["import", "trace"])
def test_exceptions_of_the_model_show_its_own_frames(tmp_path, where):
    helper = "def half(n):\n    return 1 / n\n"
    (tmp_path / "helper.py").write_text(helper)
    lines = [
        "import sluice as sl",
        "from helper import half",
        "@sl.program(sl.Secret(4, range=(-1, 1)))",
        "def score(x):",
        "    return x * half(0)",
    ]
    if where == "import":
        lines += ["score(1.0)"]
    (tmp_path / "bad.py").write_text("\n".join(lines) + "\n")
    done = sluice(tmp_path, "compile", "bad.py:score", "-o", "bad.sluice")
    assert (done.returncode, done.stdout) == (1, "")
    shown = [line for line in done.stderr.splitlines() if not set(line) <= set(" ^~")]
    at_import = [f'  File "{tmp_path}/bad.py", line 6, in <module>', "    score(1.0)"]
    assert shown == [
        "sluice: bad.py raised an exception",
        "Traceback (most recent call last):",
        *(at_import if where == "import" else []),
        f'  File "{tmp_path}/bad.py", line 5, in score',
        "    return x * half(0)",
        f'  File "{tmp_path}/helper.py", line 2, in half',
        "    return 1 / n",
        "ZeroDivisionError: division by zero",
    ]


def test_wrong_syntax_of_the_model(tmp_path):
    (tmp_path / "bad.py").write_text("def score(x:\n    return x\n")
    done = sluice(tmp_path, "compile", "bad.py:score", "-o", "bad.sluice")
    assert done.returncode == 1
    assert done.stderr.startswith("sluice: bad.py raised an exception\n")
    assert f'File "{tmp_path}/bad.py", line 1' in done.stderr and "SyntaxError: " in done.stderr
    assert "typer" not in done.stderr and "importlib" not in done.stderr


def test_a_phase_of_a_python_function_is_wrong_usage(tmp_path):
    model = f"{EXAMPLES / 'model.py'}:score"
    done = sluice(tmp_path, "compile", model, "-o", "x.sluice", "--from", "settled")
    assert done.returncode == 2
    assert "--from settled is for .mlir files; a Python function is always traced" in done.stderr


def test_an_mlir_file_that_is_no_text(tmp_path):
    (tmp_path / "x.mlir").write_bytes(b"ab\xff")
    done = sluice(tmp_path, "compile", "x.mlir", "-o", "x.sluice")
    assert done.returncode == 1
    assert done.stderr == "sluice: x.mlir: this is no text (at byte 2); MLIR is UTF-8\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["compile"], ["compile", "model.py", "-o", "x"], ["inspect", "--colour", "x"], ["dance"]],
)
def test_wrong_usage_has_status_2(tmp_path, arguments):
    done = sluice(tmp_path, *arguments)
    assert done.returncode == 2
    assert "usage" in (done.stderr + done.stdout).lower()


def test_function_without_secrets(tmp_path):
    (tmp_path / "plain.py").write_text("def score(x):\n    return x\n")
    done = sluice(tmp_path, "compile", "plain.py:score", "-o", "x.sluice")
    assert done.returncode == 1
    assert done.stderr == (
        "sluice: plain.py: score does not say which secrets it takes; decorate it by @sl.program(sl.Secret(...))\n"
    )


def test_compiling_loads_no_heavy_package(tmp_path):
    """scikit-learn, scipy and matplotlib stay out: `sluice compile` starts in a fresh process each time."""
    check = (
        "import sys, sluice, sluice.cli.app, sluice.program, sluice._compiler\n"
        "heavy = {'sklearn', 'scipy', 'matplotlib', 'rich', 'pytest'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    command = [sys.executable, "-c", check]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
