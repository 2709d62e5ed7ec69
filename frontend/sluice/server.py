"""`Server`: runs a program on ciphertexts. It holds evaluation keys and no secret."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

from sluice import _sluice
from sluice.ciphertext import Ciphertext, flattened
from sluice.manifest import Manifest
from sluice.program import Program


class Server:
    """A program loaded with one client's evaluation keys: the bytes of eval.keys, or the path of the file.

    A program whose manifest lists no evaluation keys needs none. `device` is "cpu", or "cuda" for a program that was
    compiled for it; the results are the same, bit for bit.

    Runs one after the other; calls from several threads wait for each other.
    """

    def __init__(
        self,
        program: Program,
        evaluation_keys: bytes | str | os.PathLike[str] | None = None,
        *,
        device: str = "cpu",
    ):
        self._manifest = Manifest(program.manifest)
        if evaluation_keys is None:
            self._native = _sluice.Server(program.to_bytes(), program.name, device=device)
        else:
            keys = evaluation_keys if isinstance(evaluation_keys, bytes) else os.fspath(evaluation_keys)
            self._native = _sluice.Server(program.to_bytes(), program.name, keys, device=device)
        self._running = threading.Lock()

    @property
    def output_names(self) -> list[str]:
        return [tensor.name for tensor in self._manifest.outputs]

    @property
    def backend(self) -> str:
        """Where and with what it computes: "cpu, avx512ifma, 2 threads", or the GPU and its driver."""
        return self._native.backend

    @property
    def compute_ms(self) -> float:
        """Milliseconds that the program itself took in the last run."""
        return self._native.run_ms[1]

    @property
    def stages_ms(self) -> list[tuple[str, float]]:
        """The same of each of its stages, for programs that have some, such as bootstraps."""
        return self._native.stages_ms

    @property
    def constant_bytes(self) -> int:
        """Memory of the program's constants, encoded."""
        return self._native.constant_bytes

    def __call__(self, *ciphertexts: Ciphertext | Sequence[Ciphertext]) -> Ciphertext | tuple[Ciphertext, ...]:
        """Runs the program on one ciphertext an input; with one output gives its ciphertext alone.

        An output of an earlier run is taken as the input of its name, if both have one shape, level and scale.
        """
        outputs = self.run(flattened(ciphertexts))
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def run(self, ciphertexts: Sequence[Ciphertext]) -> list[Ciphertext]:
        """The same for a list of ciphertexts, always giving a list."""
        inputs = [(ciphertext.to_bytes(), ciphertext.name) for ciphertext in ciphertexts]
        with self._running:
            return [Ciphertext(content) for content in self._native.run(inputs)]
