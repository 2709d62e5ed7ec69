"""Files of values: `sluice` and `sluice-client` read the same from the same files, and refuse the rest alike."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import sluice as sl

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(sl.__file__).absolute().parents[1])}

VALUES = np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])  # of every type; its transpose differs


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def of_type(order: str, kind: str, layout: str) -> bytes:
    array = np.asarray(VALUES.astype(f"{order}{kind}"), order=layout)
    content = npy(array)
    assert (b"'fortran_order': True" in content) == (layout == "F")
    return content


ACCEPTED = {
    f"{kind}_{'little' if order == '<' else 'big'}_{layout}.npy": of_type(order, kind, layout)
    for kind in ("f8", "f4", "i8", "i4", "b1")
    for order in "<>"
    for layout in "CF"
} | {
    "plain.csv": b"1,0,1\n0,0,1\n",
    "one_line.csv": b"1,0,1,0,0,1",
    "names.csv": b"mean radius,texture,area\n1,0,1\n0,0,1\n",
    "quoted_names.csv": b'"a","b","c"\n1,0,1\n0,0,1\n',
    "mark.csv": b"\xef\xbb\xbf1,0,1\n0,0,1\n",
    "mark_and_names.csv": b"\xef\xbb\xbfa,b,c\r\n1,0,1\r\n0,0,1\r\n",
    "comment.csv": b"# 1,0,0 by hand\n+1,0,1.0e0\n\n0,-0,1\n",
}

REFUSED = {
    "empty.csv": (b"", "there are no numbers"),
    "names_only.csv": (b"a,b,c\n", "there are no numbers"),
    "semicolons.csv": (b"0.73;0;1\n", "line 1: there is a ';', but commas separate the values"),
    "text.csv": (b"1,0,1\n0,0.73x,1\n", "line 2, column 2: not a number"),
    "ragged.csv": (b"0.73,0,1\n0.73\n", "line 2 has 1 columns, but the lines before have 3"),
    "long.npy": (
        npy(np.full((2, 3), 0.73, np.longdouble)),
        "its values are neither complex, float64, float32, integers nor bool; save x.astype('float64')",
    ),
    "records.npy": (
        npy(np.zeros(3, dtype=[("a", "<f8")])),
        "its values are neither complex, float64, float32, integers nor bool; save x.astype('float64')",
    ),
    "objects.npy": (
        npy(np.array([0.73, None])),
        "its values are neither complex, float64, float32, integers nor bool; save x.astype('float64')",
    ),
    "short.npy": (npy(VALUES)[:-8], "40 bytes of values do not fill the shape (2, 3) of 8 bytes a value"),
    "text.npy": (b"0.73,0,1\n", "this is not a .npy file"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The files, and the keys and the manifest of a program with an input for each file that is accepted."""
    folder = tmp_path_factory.mktemp("values")
    names = [f"x{k}" for k in range(len(ACCEPTED))]
    source = f"def total({', '.join(names)}):\n    return {' + '.join(names)}\n"
    functions: dict = {}
    exec(source, functions)
    secrets = [sl.Secret((2, 3), range=(-2, 2))] * len(names)
    program = sl.compile(functions["total"], *secrets, precision=10, log_n=10, insecure=True)
    (folder / "total.json").write_bytes(program.manifest)
    sl.Client(program.manifest, insecure=True).save(folder / "keys")
    for name, content in ACCEPTED.items():
        (folder / name).write_bytes(content)
    for name, (content, _) in REFUSED.items():
        (folder / name).write_bytes(content)
    return folder


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def sluice(folder: Path, values: list[str], outputs: list[str]) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "sluice",
        "encrypt",
        "total.json",
        "--key",
        "keys/secret.key",
        "--insecure",
        *values,
    ]
    return run(command + [word for output in outputs for word in ("-o", output)], folder)


def sluice_client(folder: Path, values: str, output: str, input_name: str) -> subprocess.CompletedProcess[str]:
    command = [str(BUILD / "bin" / "sluice-client"), "encrypt", "total.json", "--key", "keys/secret.key", values]
    return run([*command, "--allow-insecure", "--input", input_name, "-o", output], folder)


def test_both_read_the_same(folder):
    python = [f"python_{name}.ct" for name in ACCEPTED]
    done = sluice(folder, list(ACCEPTED), python)
    assert (done.returncode, done.stderr) == (0, "")
    native = [f"native_{name}.ct" for name in ACCEPTED]
    for k, (name, output) in enumerate(zip(ACCEPTED, native)):
        done = sluice_client(folder, name, output, f"x{k}")
        assert (done.returncode, done.stderr) == (0, ""), name
    client = sl.Client.load((folder / "total.json").read_bytes(), folder / "keys/secret.key", insecure=True)
    for name in [*python, *native]:
        found = client.decrypt(sl.Ciphertext.load(folder / name))
        np.testing.assert_allclose(found, VALUES, atol=2.0**-9, err_msg=name)


@pytest.mark.parametrize("name", REFUSED)
def test_both_refuse_alike(folder, name):
    rest = list(ACCEPTED)[1:]
    python = sluice(folder, [name, *rest], [f"{k}.ct" for k in range(len(ACCEPTED))])
    native = sluice_client(folder, name, "0.ct", "x0")
    assert (python.returncode, native.returncode) == (1, 1)
    assert python.stderr == f"sluice: {name}: {REFUSED[name][1]}\n"
    assert native.stderr == f"sluice-client: error: {name}: {REFUSED[name][1]}\n"
    assert "73" not in python.stderr  # no value, nor a warning that has one
    assert not (folder / "0.ct").exists()


def test_written_files_are_private_and_read_back(tmp_path):
    from sluice.values import write_values

    for values in (VALUES, VALUES[0], np.array(0.1), np.asfortranarray(VALUES) / 3):
        write_values(tmp_path / "y.npy", values)
        np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), values)
        write_values(tmp_path / "y.csv", values)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(np.loadtxt(tmp_path / "y.csv", delimiter=","), values)
    assert (tmp_path / "y.csv").stat().st_mode & 0o777 == 0o600
    with pytest.raises(sl.SluiceError, match=r"y\.txt: values are read and written as \.npy or \.csv"):
        write_values(tmp_path / "y.txt", VALUES)
