"""`Server`: runs a program on ciphertexts. It holds evaluation keys and no secret."""

from __future__ import annotations

import os
from collections.abc import Sequence

from sluice import _sluice
from sluice.ciphertext import Ciphertext
from sluice.manifest import Manifest
from sluice.program import Program


class Server:
    """A program loaded with one client's evaluation keys: the bytes of eval.keys, or the path of the file."""

    def __init__(self, program: Program, evaluation_keys: bytes | str | os.PathLike[str]):
        self._manifest = Manifest(program.manifest)
        keys = evaluation_keys if isinstance(evaluation_keys, bytes) else os.fspath(evaluation_keys)
        self._native = _sluice.Server(program.to_bytes(), keys)

    @property
    def output_names(self) -> list[str]:
        return [tensor.name for tensor in self._manifest.outputs]

    def __call__(self, *ciphertexts: Ciphertext | Sequence[Ciphertext]) -> Ciphertext | tuple[Ciphertext, ...]:
        """Runs the program on one ciphertext an input, in order; with one output gives its ciphertext alone."""
        given = ciphertexts[0] if len(ciphertexts) == 1 and not isinstance(ciphertexts[0], Ciphertext) else ciphertexts
        outputs = self.run(list(given))
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def run(self, ciphertexts: Sequence[Ciphertext]) -> list[Ciphertext]:
        """The same for a list of ciphertexts, always giving a list."""
        contents = [ciphertext.to_bytes() for ciphertext in ciphertexts]
        return [Ciphertext(content) for content in self._native.run(contents)]
