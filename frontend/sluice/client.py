"""`Client`: makes keys, encrypts, decrypts. The only part of the package that sees a secret key."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sluice import _sluice
from sluice.ciphertext import Ciphertext, flattened
from sluice.errors import InvalidArgumentError
from sluice.manifest import Manifest, TensorSpec
from sluice.values import contiguous

Progress = Callable[[int, int], None]


class Client:
    """Keys for one program, made from its manifest when they are first needed.

    `insecure=True` accepts a manifest whose parameters give less than 128 bits of security; for tests.
    """

    def __init__(self, manifest: bytes | Manifest, *, insecure: bool = False):
        self._manifest = manifest if isinstance(manifest, Manifest) else Manifest(manifest)
        self._native = _sluice.Client(self._manifest.bytes, "manifest", insecure)
        self._has_key = False
        self._public_key: bytes | None = None
        self._evaluation_keys: bytes | None = None

    # --- Keys --------------------------------------------------------------------------------------------------------
    def generate(self) -> Client:
        """Makes a new secret key now. Ciphertexts and keys made before belong to the old one."""
        self._native.generate()
        self._has_key, self._public_key, self._evaluation_keys = True, None, None
        return self

    @property
    def public_key(self) -> bytes:
        """The content of public.key: enough to encrypt."""
        if self._public_key is None:
            self._public_key = self._ready().public_key()
        return self._public_key

    @property
    def evaluation_keys(self) -> bytes:
        """The content of eval.keys: what the server needs, as the manifest lists it. Made once, then kept."""
        if self._evaluation_keys is None:
            self._evaluation_keys = self._ready().evaluation_keys()
        return self._evaluation_keys

    def save(
        self, folder: str | os.PathLike[str], progress: Progress | None = None, *, force: bool = False
    ) -> list[Path]:
        """Writes secret.key (mode 0600), public.key and eval.keys; gives their paths. A new folder gets mode 0700.

        Where decryptions may be shared, their count goes with the key, as secret.key.count. A client whose count is
        in a file already keeps it there: a copy of its key shares nothing.

        A secret key that is there already is refused, since whatever was encrypted under it would be lost;
        `force=True` replaces it.
        """
        paths = self._native.save_keys(os.fspath(folder), force, progress)
        self._has_key = True
        return [Path(path) for path in paths]

    @classmethod
    def load(cls, manifest: bytes | Manifest, key: str | os.PathLike[str], *, insecure: bool = False) -> Client:
        """A client with the key of a file: secret.key for everything, public.key for encryption only."""
        client = cls(manifest, insecure=insecure)
        client._native.load_key(os.fspath(key))
        client._has_key = True
        return client

    def _ready(self) -> _sluice.Client:
        if not self._has_key:
            self.generate()
        return self._native

    # --- Values ------------------------------------------------------------------------------------------------------
    def encrypt(self, *arrays: Any) -> Ciphertext | tuple[Ciphertext, ...]:
        """Encrypts one array for each input of the program, in order; with one input gives its ciphertext alone.

        Arrays are real, or complex where the program takes complex values. A batched input has a leading axis of
        items. Values outside the input's range are refused.
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
        native = self._ready()
        values = [_values(array, tensor) for array, tensor in zip(arrays, inputs)]
        return [Ciphertext(native.encrypt(index, array)) for index, array in enumerate(values)]

    def decrypt(
        self, *ciphertexts: Ciphertext | Sequence[Ciphertext], share: bool = False, least_deviation: float = 0
    ) -> Any:
        """The values of the program's outputs; those of one ciphertext alone if one is given.

        `share=True` is for values that will be shown to whoever may have the ciphertexts: it adds noise of the
        deviation that the manifest's certificate states, or of `least_deviation` where that is more, and counts.
        Each ciphertext is one of the decryptions that the program was compiled to share. docs/security.md says
        what this promises; values without it are for nobody else.
        """
        arrays = self.decrypt_all(flattened(ciphertexts), share=share, least_deviation=least_deviation)
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    def decrypt_all(
        self, ciphertexts: Sequence[Ciphertext], *, share: bool = False, least_deviation: float = 0
    ) -> list[np.ndarray]:
        """The same for a list of ciphertexts, always giving a list."""
        if share:
            least = float(least_deviation)
            return [np.asarray(self._native.decrypt_to_share(one.to_bytes(), one.name, least)) for one in ciphertexts]
        if least_deviation:
            raise InvalidArgumentError("least_deviation is for share=True: nothing else adds noise")
        return [np.asarray(self._native.decrypt(one.to_bytes(), one.name)) for one in ciphertexts]

    @property
    def shared_count(self) -> int:
        """How many decryptions were shared under this key, as of the last one here."""
        return int(self._native.shared_count())


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """The manifest in a .sluice file or in a file of its own."""
    return Manifest(_sluice.read_manifest(os.fspath(path)))


def _values(array: Any, tensor: TensorSpec) -> np.ndarray:
    values = np.asarray(array)
    if values.dtype.kind not in ("biufc" if tensor.complex else "biuf"):
        numbers = "numbers" if tensor.complex else "real numbers"
        raise InvalidArgumentError(f"input {tensor.name!r}: expected {numbers}, got an array of {values.dtype}")
    return contiguous(values)
