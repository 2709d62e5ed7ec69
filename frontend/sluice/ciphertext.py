"""`Ciphertext`: what travels between client and server."""

from __future__ import annotations

import os
from collections.abc import Sequence

from sluice.files import read_bytes, write_bytes


class Ciphertext:
    """An encrypted input or output, as the bytes of its file. Whoever holds it sees which program it is for."""

    def __init__(self, content: bytes, name: str = "ciphertext"):
        self._content = content
        self.name = name  # of the file, for messages

    def to_bytes(self) -> bytes:
        return self._content

    @classmethod
    def from_bytes(cls, content: bytes) -> Ciphertext:
        """Checked when it is used: by the server against its program, by the client against its key."""
        return cls(bytes(content))

    def save(self, path: str | os.PathLike[str]) -> None:
        write_bytes(path, self._content)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Ciphertext:
        return cls(read_bytes(path), os.fspath(path))

    def __repr__(self) -> str:
        return f"<sluice.Ciphertext of {len(self._content)} bytes>"


def flattened(given: Sequence[Ciphertext | Sequence[Ciphertext]]) -> list[Ciphertext]:
    """Arguments that are ciphertexts, or one sequence of them, as a list."""
    if len(given) == 1 and not isinstance(given[0], Ciphertext):
        return list(given[0])
    return list(given)  # type: ignore[arg-type]
