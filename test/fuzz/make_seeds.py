"""Write the seeds of the fuzz targets of wire and client from the golden files of test/compat/v1.

    python test/fuzz/make_seeds.py

Each binary file is a seed in two forms (test/fuzz/object_input.h): as it is, and as the contents of its sections, where
a mutation does not break the frame.
"""

import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "test" / "compat" / "v1"
CORPUS = ROOT / "test" / "fuzz" / "corpus"

OBJECTS = {
    "ciphertext": ["x.ct", "y.ct", "result.ct"],
    "evaluation_keys": ["eval.keys"],
    "public_key": ["public.key"],
    "secret_key": ["secret.key"],
}


def sections(file: bytes) -> list[bytes]:
    """The contents of a container's sections, in order."""
    (count,) = struct.unpack_from("<I", file, 16)
    entries = [struct.unpack_from("<8sQQQ", file, 24 + 32 * index) for index in range(count)]
    return [file[offset : offset + size] for _, offset, size, _ in entries]


def split(file: bytes) -> bytes:
    """Header, zero, whether there is a middle section, the rest."""
    header, *rest = sections(file)
    return header + b"\0" + bytes([len(rest) - 1]) + b"".join(rest)


def write(target: str, name: str, content: bytes) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def main() -> None:
    for target, names in OBJECTS.items():
        for name in names:
            file = (GOLDEN / name).read_bytes()
            write(target, name, file)
            write(target, name + ".sections", split(file))
            kind = file[12] - 1
            write("section", name, bytes([kind]) + file)
    write("manifest", "sample.json", (GOLDEN / "manifest.json").read_bytes())
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"
    header = header.ljust(117) + b"\n"
    values = struct.pack("<6d", 1, 2, 3, 4, 5, 6)
    write("npy", "doubles.npy", b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header + values)
    header = header.replace(b"<f8", b"<f4")
    write("npy", "floats.npy", b"\x93NUMPY\x02\0" + struct.pack("<I", len(header)) + header + values[:24])
    write("csv", "numbers.csv", b"a,b,c\n1,2.5,-3e-2\n4,5,6\n")
    write("csv", "one.csv", b"1\r\n2\r\nnan\r\n")


if __name__ == "__main__":
    main()
