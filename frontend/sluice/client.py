"""`Client`: makes keys, encrypts, decrypts. The only part of the package that sees a secret key."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sluice import _sluice
from sluice.ciphertext import Ciphertext
from sluice.errors import InvalidArgumentError
from sluice.manifest import Manifest, TensorSpec

Progress = Callable[[int, int], None]


class Client:
    """Keys for one program, made from its manifest when they are first needed.

    `insecure=True` accepts a manifest whose parameters give less than 128 bits of security; for tests.
    """

    def __init__(self, manifest: bytes | Manifest, *, insecure: bool = False):
        self._manifest = manifest if isinstance(manifest, Manifest) else Manifest(manifest)
        self._native = _sluice.Client(self._manifest.bytes, insecure)

    # --- Keys --------------------------------------------------------------------------------------------------------
    def generate(self) -> Client:
        """Makes a new secret key now. Ciphertexts and keys made before belong to the old one."""
        self._native.generate()
        return self

    @property
    def secret_key(self) -> bytes:
        """The content of secret.key. It stays with the client."""
        return self._native.secret_key()

    @property
    def public_key(self) -> bytes:
        """The content of public.key: enough to encrypt."""
        return self._native.public_key()

    @property
    def evaluation_keys(self) -> bytes:
        """The content of eval.keys: what the server needs, as the manifest lists it."""
        return self._native.evaluation_keys()

    def save(self, folder: str | os.PathLike[str], progress: Progress | None = None) -> list[Path]:
        """Writes secret.key (mode 0600), public.key and eval.keys, the last as a stream; gives their paths."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        paths = [target / name for name in ("secret.key", "public.key", "eval.keys")]
        self._native.save_secret_key(os.fspath(paths[0]))
        self._native.save_public_key(os.fspath(paths[1]))
        self._native.save_evaluation_keys(os.fspath(paths[2]), progress)
        return paths

    @classmethod
    def load(cls, manifest: bytes | Manifest, key: str | os.PathLike[str], *, insecure: bool = False) -> Client:
        """A client with the key of a file: secret.key for everything, public.key for encryption only."""
        client = cls(manifest, insecure=insecure)
        client._native.load_key(os.fspath(key))
        return client

    # --- Values ------------------------------------------------------------------------------------------------------
    def encrypt(self, *arrays: Any) -> Ciphertext | tuple[Ciphertext, ...]:
        """Encrypts one array for each input of the program, in order; with one input gives its ciphertext alone.

        A batched input has a leading axis of items. Values outside the input's range are refused.
        """
        ciphertexts = self.encrypt_all(arrays)
        return ciphertexts[0] if len(ciphertexts) == 1 else tuple(ciphertexts)

    def encrypt_all(self, arrays: Sequence[Any]) -> list[Ciphertext]:
        """The same for a list of arrays, always giving a list."""
        inputs = self._manifest.inputs
        if len(arrays) != len(inputs):
            names = ", ".join(tensor.name for tensor in inputs)
            raise InvalidArgumentError(
                f"program {self._manifest.name!r} has {len(inputs)} inputs ({names}); {len(arrays)} arrays were given"
            )
        values = [input_values(array, spec) for array, spec in zip(arrays, inputs)]
        if len({items for items, _ in values}) > 1:
            counts = ", ".join(f"{spec.name}: {items}" for spec, (items, _) in zip(inputs, values))
            raise InvalidArgumentError(f"the inputs hold different numbers of items ({counts}); give equally many")
        return [Ciphertext(self._native.encrypt(index, flat, items)) for index, (items, flat) in enumerate(values)]

    def decrypt(self, *ciphertexts: Ciphertext | Sequence[Ciphertext]) -> Any:
        """The values of the program's outputs; those of one ciphertext alone if one is given."""
        given = ciphertexts[0] if len(ciphertexts) == 1 and not isinstance(ciphertexts[0], Ciphertext) else ciphertexts
        arrays = self.decrypt_all(list(given))
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    def decrypt_all(self, ciphertexts: Sequence[Ciphertext]) -> list[np.ndarray]:
        """The same for a list of ciphertexts, always giving a list."""
        return [self._decrypt_one(ciphertext) for ciphertext in ciphertexts]

    def _decrypt_one(self, ciphertext: Ciphertext) -> np.ndarray:
        index, items, values = self._native.decrypt(ciphertext.to_bytes())
        spec = self._manifest.outputs[index]
        return values.reshape((items, *spec.shape) if spec.batched else spec.shape)


def input_values(array: Any, spec: TensorSpec) -> tuple[int, np.ndarray]:
    """(number of items, flat values) of an array for one input; InvalidArgumentError for a wrong shape or type."""
    values = np.asarray(array)
    if values.dtype.kind not in "biuf":
        raise InvalidArgumentError(f"input {spec.name!r}: expected real numbers, got an array of {values.dtype}")
    items = values.shape[0] if spec.batched and values.ndim else 1
    wanted = (items, *spec.shape) if spec.batched else spec.shape
    if values.shape != wanted or not 1 <= items <= (spec.batch if spec.batched else 1):
        expected = (
            f"(items, {', '.join(str(extent) for extent in spec.shape)}) with 1 to {spec.batch} items".replace(
                ", )", ")"
            )
            if spec.batched
            else str(spec.shape)
        )
        raise InvalidArgumentError(
            f"input {spec.name!r}: expected an array of shape {expected}, got one of shape {values.shape}"
        )
    return items, np.ascontiguousarray(values, dtype=np.float64).reshape(-1)


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """The manifest in a .sluice file or in a file of its own."""
    return Manifest(_sluice.read_manifest(os.fspath(path)))
