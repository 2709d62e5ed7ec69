"""Uniform expansion of a 32-byte seed, as docs/formats.md describes it, in Python integers."""


def chacha20_block(key: bytes, nonce: bytes, counter: int) -> bytes:
    """One 64-byte block of ChaCha20 with an 8-byte nonce and a 64-bit counter (Bernstein 2008)."""
    words = [int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4)]
    words += [int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4)]
    words += [counter % 2**32, counter >> 32]
    words += [int.from_bytes(nonce[i : i + 4], "little") for i in (0, 4)]
    x = list(words)
    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for a, b, c, d in (columns + diagonals) * 10:
        for left, right, by, turn in (
            (a, b, d, 16),
            (c, d, b, 12),
            (a, b, d, 8),
            (c, d, b, 7),
        ):
            x[left] = (x[left] + x[right]) % 2**32
            x[by] ^= x[left]
            x[by] = (x[by] << turn | x[by] >> (32 - turn)) % 2**32
    return b"".join(((a + b) % 2**32).to_bytes(4, "little") for a, b in zip(x, words))


def expand_uniform(seed: bytes, digit: int, limb: int, q: int, n: int) -> list[int]:
    """The first n words of the key stream that are below q once masked to the bits of q."""
    nonce = digit.to_bytes(4, "little") + limb.to_bytes(4, "little")
    mask = (1 << q.bit_length()) - 1
    out, counter = [], 0
    while len(out) < n:
        block = chacha20_block(seed, nonce, counter)
        candidates = (int.from_bytes(block[i : i + 8], "little") & mask for i in range(0, 64, 8))
        out += [x for x in candidates if x < q]
        counter += 1
    return out[:n]
