"""Bad inputs and the full text of what a user reads."""

from __future__ import annotations

import json
import linecache
import os
import struct
import subprocess
import sys

import numpy as np
import pytest

import sluice as sl
from container import container, sections, with_header
from sluice import errors

WEIGHTS = np.array([0.5, -1.0, 0.25, 2.0])


@pytest.fixture(scope="module")
def program() -> sl.Program:
    return sl.compile(lambda x: (WEIGHTS @ x) * x, sl.Secret(4, range=(-1, 1)), precision=12, name="score", batch=8)


@pytest.fixture(scope="module")
def client(program) -> sl.Client:
    return sl.Client(program.manifest)


@pytest.fixture(scope="module")
def server(program, client) -> sl.Server:
    return sl.Server(program, client.evaluation_keys)


def text_of(error: type[Exception], action) -> str:
    with pytest.raises(error) as caught:
        action()
    return str(caught.value)


def test_out_of_range_at_encryption(client):
    items = np.zeros((3, 4))
    items[2, 1] = 1.5
    assert text_of(errors.OutOfRangeError, lambda: client.encrypt(items)) == (
        "input 'x', item 2, element [1]: the value is outside of the declared range [-1, 1]; bring the data into it, "
        "or compile with a wider range"
    )


def test_not_a_number(client):
    assert text_of(errors.OutOfRangeError, lambda: client.encrypt(np.full((1, 4), np.nan))) == (
        "input 'x', item 0, element [0]: the value is not a number (NaN); finite numbers are needed"
    )


def test_wrong_shape(client):
    assert text_of(errors.InvalidArgumentError, lambda: client.encrypt(np.zeros((2, 5)))) == (
        "input 'x': shape (2, 5), but it must be (4,) for one item, or (B, 4) for a batch of B <= 8"
    )


def test_too_many_items(client):
    assert text_of(errors.InvalidArgumentError, lambda: client.encrypt(np.zeros((10**6, 4)))) == (
        "input 'x': 1000000 items, but one ciphertext holds at most 8; encrypt them in several"
    )


def test_unsupported_operation_shows_the_line():
    source = "def model(x):\n    y = 2 * x\n    return np.sort(y)\n"
    linecache.cache["model.py"] = (len(source), None, source.splitlines(True), "model.py")
    names = {"np": np}
    exec(compile(source, "model.py", "exec"), names)
    assert text_of(sl.TraceError, lambda: sl.compile(names["model"], sl.Secret(4, range=(-1, 1)))) == (
        "model.py:3: np.sort is not supported on secret values\n"
        "    return np.sort(y)\n"
        "           ^^^^^^^^^^\n"
        "fix: use + - * / ** @, comparisons, slices, sums, means, dot products, np.exp np.tanh np.sqrt np.abs "
        "np.maximum np.minimum np.where, sl.sigmoid sl.relu sl.gelu sl.silu, or approximate the function on its range "
        "by sl.polynomial"
    )


def test_full_temporary_folder(tmp_path):
    """A limit on the size of files stands for a full disk; Python ignores its signal, so that writing fails."""
    script = (
        "import resource, sluice\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))\n"
        "sluice.compile(lambda x: x * x, sluice.Secret(4, range=(-1, 1)))\n"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert "cannot write " in done.stderr
    assert "program.o: is the temporary folder full?" in done.stderr
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def test_security_too_low():
    source = "def model(x):\n    return x ** 16\n"
    linecache.cache["deep.py"] = (len(source), None, source.splitlines(True), "deep.py")
    names: dict = {}
    exec(compile(source, "deep.py", "exec"), names)
    assert text_of(errors.CompileError, lambda: sl.compile(names["model"], sl.Secret(4, range=(-1, 1)), log_n=12)) == (
        "deep.py:1: no parameters give 16 bits to a program of depth 4 with N <= 2^12 and 128 bits of security; the "
        "deepest program that fits has depth 0: lower the degrees of polynomials, or split the program\n"
        "    def model(x):"
    )


def test_insecure_manifest_is_refused():
    weak = sl.compile(lambda x: x**4, sl.Secret(4, range=(-1, 1)), log_n=11, insecure=True)
    assert text_of(errors.InsecureError, lambda: sl.Client(weak.manifest)) == (
        "manifest: its parameters are marked insecure: a test program, whose keys protect nothing. Allow it explicitly "
        "if that is what you want"
    )
    assert sl.Client(weak.manifest, insecure=True).encrypt(np.zeros(4))


def test_key_of_another_program(program):
    other = sl.compile(lambda x: (WEIGHTS @ x) * x + 1, sl.Secret(4, range=(-1, 1)), precision=12, name="other")
    keys = sl.Client(other.manifest).evaluation_keys
    ids = [json.loads(p.manifest)["program"]["id"][:16] for p in (other, program)]
    assert text_of(errors.MismatchError, lambda: sl.Server(program, keys)) == (
        f"evaluation keys: made for program {ids[0]}…, but this is program {ids[1]}… ('score')"
    )


def test_ciphertext_of_another_key(program, client, server):
    stranger = sl.Client(program.manifest)
    keys = [json.loads(sections(c.evaluation_keys)["header"])["key"] for c in (stranger, client)]
    assert text_of(errors.MismatchError, lambda: server(stranger.encrypt(np.zeros((1, 4))))) == (
        f"input 'x' was encrypted under key {keys[0]}, but the evaluation keys belong to key {keys[1]}"
    )


def test_missing_evaluation_key(program, client):
    parts = sections(client.evaluation_keys)
    header = json.loads(parts["header"])
    missing = header["keys"].pop()
    parts["seeds"] = parts["seeds"][:-32]
    size = len(missing["digits"]) * len(missing["limbs"]) * 8 << header["log_n"]
    parts["keys"] = parts["keys"][:-size]
    parts["header"] = json.dumps(header).encode()
    assert text_of(errors.NotFoundError, lambda: sl.Server(program, container(3, parts))) == (
        f"evaluation keys: the key for rotation, element {missing['element']}, permuted is missing; make the keys "
        "again from this program's manifest"
    )


def test_decrypting_without_the_secret_key(program, client, server, tmp_path):
    client.save(tmp_path)
    public = sl.Client.load(program.manifest, tmp_path / "public.key")
    result = server(client.encrypt(np.zeros((1, 4))))
    assert text_of(errors.NotFoundError, lambda: public.decrypt(result)) == (
        "the key is a public key, with which one can only encrypt: secret.key is needed here"
    )
    assert text_of(errors.MismatchError, lambda: sl.Client.load(program.manifest, tmp_path / "eval.keys")) == (
        f"{tmp_path}/eval.keys: this is a file of evaluation keys; encryption needs public.key or secret.key, "
        "decryption needs secret.key"
    )


def test_saving_keeps_a_secret_key(program, client, tmp_path):
    paths = client.save(tmp_path / "keys")
    before = [path.read_bytes() for path in paths]
    assert text_of(errors.InvalidArgumentError, lambda: sl.Client(program.manifest).save(tmp_path / "keys")) == (
        f"{tmp_path}/keys/secret.key: there is a secret key already, and replacing it loses all that was encrypted "
        "under it; use --force (in Python force=True) if you want that"
    )
    assert [path.read_bytes() for path in paths] == before
    stranger = sl.Client(program.manifest)
    assert stranger.save(tmp_path / "keys", force=True) == paths
    assert all(path.read_bytes() != old for path, old in zip(paths, before))
    again = sl.Client.load(program.manifest, tmp_path / "keys/secret.key")
    np.testing.assert_allclose(again.decrypt(stranger.encrypt(np.zeros((1, 4)))), 0, atol=1e-3)


def test_missing_key_file(program, tmp_path):
    path = tmp_path / "eval.keys"
    text = text_of(errors.NotFoundError, lambda: sl.Server(program, path))
    assert text.replace(str(tmp_path), "keys") == ("keys/eval.keys: cannot open: No such file or directory")


def test_truncated_file(client, server, tmp_path):
    path = tmp_path / "x.ct"
    client.encrypt(np.zeros((1, 4))).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    data = len(sections(whole)["data"])
    start = whole.rindex(sections(whole)["data"])
    text = text_of(errors.CorruptFileError, lambda: server(sl.Ciphertext.load(path)))
    assert text.replace(str(path), "x.ct") == (
        f"x.ct: truncated: section 'data' has {data} bytes from byte {start}, the file ends at {len(whole) - 100}"
    )


def test_altered_file(client, server):
    content = bytearray(client.encrypt(np.zeros((1, 4))).to_bytes())
    content[-1000] ^= 1
    assert text_of(errors.CorruptFileError, lambda: server(sl.Ciphertext(bytes(content)))) == (
        f"ciphertext: at byte {len(content) - 32}: the checksum does not match: the file was damaged"
    )


def test_newer_file_version(client, server):
    content = client.encrypt(np.zeros((1, 4))).to_bytes()
    newer = container(struct.unpack_from("<I", content, 12)[0], sections(content), version=2)
    assert text_of(errors.UnsupportedVersionError, lambda: server(sl.Ciphertext(newer))) == (
        "ciphertext: file format version 2 is newer than this program reads (version 1): update Sluice"
    )


def test_wrong_kind_of_file(program, server):
    assert text_of(errors.MismatchError, lambda: server(sl.Ciphertext(program.to_bytes()))) == (
        "ciphertext: this is a program, but a ciphertext is needed here"
    )


def test_wrong_level(program, client, server):
    content = client.encrypt(np.zeros((1, 4))).to_bytes()
    level = json.loads(program.manifest)["inputs"][0]["level"]
    lowered = with_header(content, level=level - 1)
    assert text_of(errors.MismatchError, lambda: server(sl.Ciphertext(lowered))) == (
        f"ciphertext: level {level - 1}, but input 'x' is at level {level}"
    )


def test_number_of_inputs(client):
    assert text_of(errors.InvalidArgumentError, lambda: client.encrypt(np.zeros(4), np.zeros(4))) == (
        "program 'score' has 1 inputs (x); 2 arrays were given"
    )


def test_loaded_program_has_no_stages(program):
    loaded = sl.Program.from_bytes(program.to_bytes())
    assert text_of(errors.NotFoundError, lambda: loaded.stage("settled")) == (
        "program 'score' was loaded from an artifact, which does not hold its stages; compile it from source"
    )


def test_unknown_phase(program):
    assert text_of(errors.InvalidArgumentError, lambda: program.stage("sorted")) == (
        "there is no phase 'sorted'; the phases are traced packed planned settled rns fused llvm artifact"
    )
