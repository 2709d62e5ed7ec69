"""Rewrites files of docs/formats.md, with a right checksum: to make files that are wrong in exactly one respect."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any


def sections(content: bytes) -> dict[str, bytes]:
    """The sections of a file by tag, in order."""
    (count,) = struct.unpack_from("<I", content, 16)
    found = {}
    for k in range(count):
        tag, offset, size, _ = struct.unpack_from("<8sQQQ", content, 24 + 32 * k)
        found[tag.rstrip(b"\0").decode()] = content[offset : offset + size]
    return found


def container(kind: int, parts: dict[str, bytes], version: int = 1) -> bytes:
    """A file of these sections."""
    table, body = b"", b""
    offset = 24 + 32 * len(parts)
    for tag, part in parts.items():
        padding = -offset % 64
        table += struct.pack("<8sQQQ", tag.encode(), offset + padding, len(part), 0)
        body += bytes(padding) + part
        offset += padding + len(part)
    frame = b"SLUICE\x1a\n" + struct.pack("<IIII", version, kind, len(parts), 0) + table + body
    return frame + hashlib.blake2b(frame, digest_size=32).digest()


def with_header(content: bytes, **changes: Any) -> bytes:
    """The file with fields of its JSON header replaced."""
    parts = sections(content)
    header = json.loads(parts["header"]) | changes
    parts["header"] = json.dumps(header).encode()
    (kind,) = struct.unpack_from("<I", content, 12)
    return container(kind, parts)
