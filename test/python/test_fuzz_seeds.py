"""The fuzz targets' seeds: those of make_seeds.py, and each on the side of its limit that its name says."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sluice as sl
from container import container, sections, with_header
from sluice import _sluice

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "test" / "fuzz" / "corpus"
GOLDEN = ROOT / "test" / "compat" / "v1"
MANIFEST = (GOLDEN / "manifest.json").read_bytes()
SAMPLE = (CORPUS / "artifact" / "sample.sluice").read_bytes()


def test_the_corpus_is_that_of_the_script(tmp_path):
    script = ROOT / "test" / "fuzz" / "make_seeds.py"
    subprocess.run([sys.executable, str(script), "--output", str(tmp_path)], check=True)
    for folder in CORPUS.iterdir():
        if folder.name == "shared_object":
            continue  # compiled
        committed = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert committed == {path.name: path.read_bytes() for path in (tmp_path / folder.name).iterdir()}


def client(manifest: bytes = MANIFEST) -> _sluice.Client:
    return _sluice.Client(manifest, "manifest", True)


def read_ciphertext(path: Path) -> None:
    decrypting = client()
    decrypting.load_key(str(path.with_name("secret.key")))
    decrypting.decrypt(path.read_bytes(), path.name)


def read_evaluation_keys(path: Path) -> None:
    permuted = json.loads(MANIFEST)
    permuted["evaluation_keys"][1]["permuted"] = path.name.startswith("permuted")
    parts = sections((GOLDEN / "sample.sluice").read_bytes())
    parts["manifest"] = json.dumps(permuted).encode()
    _sluice.Server(container(1, parts), "sample", path.read_bytes())


def read_share_count(path: Path) -> None:
    """Beside a key that allows 3, of a manifest with the certificate of a seed."""
    manifest = (CORPUS / "manifest" / "certificate.json").read_bytes()
    key = path.with_name("secret.key")
    allowed = {"manifest": hashlib.blake2b(manifest, digest_size=32).hexdigest(), "allowed": 3}
    key.write_bytes(with_header(key.read_bytes(), sharing=allowed))
    path.rename(path.with_name("secret.key.count"))
    sharing = client(manifest)
    sharing.load_key(str(key))
    sharing.decrypt_to_share((GOLDEN / "result.ct").read_bytes(), "result.ct", 0)


def read_artifact(path: Path) -> None:
    """The code of these artifacts is no code, which is the last thing to be looked at."""
    with pytest.raises(sl.SluiceError) as caught:
        _sluice.Server(path.read_bytes(), path.name)
    if ": code:" not in str(caught.value):
        raise caught.value


def read_launches(path: Path) -> None:
    """In the sample program, whose code is no code."""
    parts = {**sections(SAMPLE), "launches": path.read_bytes(), "device": b""}
    manifest = json.loads(parts["manifest"])
    contents = b"".join(content for name, content in parts.items() if name != "manifest")
    manifest["program"]["id"] = hashlib.blake2b(contents, digest_size=32).hexdigest()
    parts["manifest"] = json.dumps(manifest).encode()
    path.write_bytes(container(1, parts))
    read_artifact(path)


def read_values(path: Path) -> None:
    _sluice.read_values(str(path), [], True)


def read_costs(path: Path) -> None:
    sl.compile(lambda x: -x, sl.Secret(1, range=(-1, 1)), name="f", costs=path)


READERS: dict[str, Callable[[Path], None]] = {
    "artifact": read_artifact,
    "ciphertext": read_ciphertext,
    "costs": read_costs,
    "csv": read_values,
    "evaluation_keys": read_evaluation_keys,
    "launches": read_launches,
    "manifest": lambda path: client(path.read_bytes()) and None,
    "npy": read_values,
    "public_key": lambda path: client().load_key(str(path)),
    "secret_key": lambda path: client().load_key(str(path)),
    "share_count": read_share_count,
}


def cases() -> list[Path]:
    return sorted(path for name in READERS for path in (CORPUS / name).iterdir() if path.suffix != ".sections")


@pytest.mark.parametrize("seed", cases(), ids=lambda seed: f"{seed.parent.name}/{seed.name}")
def test_seeds_lie_where_their_names_say(seed, tmp_path):
    for path in (GOLDEN / "secret.key", seed):  # copies, since a secret key must be private
        (tmp_path / path.name).write_bytes(path.read_bytes())
        (tmp_path / path.name).chmod(0o600)
    read = READERS[seed.parent.name]
    if seed.name.startswith("refused"):
        with pytest.raises(sl.SluiceError):
            read(tmp_path / seed.name)
    else:
        read(tmp_path / seed.name)
