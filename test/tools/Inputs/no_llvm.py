"""Build the runtime where no LLVM is visible, then walk from a .sluice file to a decrypted result in two folders.

    no_llvm.py --scratch FOLDER [--program FILE.sluice --input NAME=VALUES.csv ... --expect VALUES.csv [--tolerance T]]

Without --program it is the sample program of test/runtime/exec/sample, which needs no compiler. The client works in
one folder with the manifest alone, the server in another with the program, the evaluation keys and ciphertexts; after
every step the server's folder is searched for the secret key. Exits 1 with a message when anything is not as it
should be.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# All that the build may use; nothing of LLVM is among them.
BUILD_TOOLS = ["cmake", "ninja", "g++", "gcc", "c++", "cc", "as", "ld", "ar", "ranlib", "ccache", "pkg-config", "git"]
SHELL_TOOLS = ["sh", "env", "uname", "cat", "rm", "mkdir"]

# The sample: result = c * rotate(x * y), see sample_code.cpp.
SAMPLE_X = [[0.5, -0.25, 0.125, 1.0], [-1.0, 0.75, 0.375, 0.0], [0.25, 0.25, -0.5, 0.625]]
SAMPLE_Y = [0.75, -1.0, 0.125, 0.5]
SAMPLE_C = [1.5, -0.5, 2.0, 0.25]


class WalkError(Exception):
    """Something is not as it should be; the message says what."""


def run(command: list[str], **options) -> str:
    """The standard output of a command that must succeed."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise WalkError(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def scrubbed_environment(scratch: Path) -> dict[str, str]:
    """An environment whose PATH has the tools above and nothing else, and that points nowhere near LLVM."""
    folder = scratch / "path"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for tool in BUILD_TOOLS + SHELL_TOOLS:
        found = shutil.which(tool)
        if found and "llvm" in os.path.realpath(found):
            raise WalkError(f"{found} is a tool of LLVM")
        if found:
            (folder / tool).symlink_to(found)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in ("HOME", "TMPDIR", "LANG") or name.startswith("CCACHE_")
    }
    environment["PATH"] = str(folder)
    return environment


def build(scratch: Path, targets: list[str]) -> Path:
    """Configure and build the runtime-only preset; return the build folder."""
    environment = scrubbed_environment(scratch)
    folder = scratch / "build"
    hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("LLVM", "MLIR", "Clang")]
    cmake = ["cmake", "--preset", "runtime-only", "-B", str(folder), *hidden]
    cmake += ["-DCMAKE_IGNORE_PREFIX_PATH=/usr/lib/llvm-22", "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_C_COMPILER=gcc"]
    run(cmake, cwd=ROOT, env=environment)
    commands = (folder / "compile_commands.json").read_text().replace(str(scratch), "")
    if re.search(r"llvm|mlir|clang", commands, re.IGNORECASE):
        raise WalkError("a compile command speaks of LLVM")
    run(["cmake", "--build", str(folder), "--target", *targets], cwd=ROOT, env=environment)
    return folder


def expect_no_llvm(binary: Path) -> None:
    libraries = run(["ldd", str(binary)])
    symbols = run(["nm", "-C", str(binary)])
    for text, what in ((libraries, "library"), (symbols, "symbol")):
        found = re.search(r".*(libLLVM|libMLIR|\bllvm::|\bmlir::|\bLLVM[A-Z]\w+).*", text)
        if found:
            raise WalkError(f"{binary.name} has the {what} {found.group(0).strip()}")
    if " main" not in symbols:
        raise WalkError(f"the symbols of {binary.name} cannot be read, so nothing was checked")


def manifest_of(program: Path) -> bytes:
    """The section `manifest` of a .sluice file (docs/formats.md, the container)."""
    data = program.read_bytes()
    (count,) = struct.unpack_from("<I", data, 16)
    for i in range(count):
        tag, offset, size, _ = struct.unpack_from("<8sQQQ", data, 24 + 32 * i)
        if tag.rstrip(b"\0") == b"manifest":
            return data[offset : offset + size]
    raise WalkError(f"{program} has no manifest")


class Walk:
    """The two folders, and a check after every step that the secret stays in the client's."""

    def __init__(self, scratch: Path, tools: Path, program: Path):
        self.tools = tools
        self.client = scratch / "client"
        self.server = scratch / "server"
        for folder in (self.client, self.server):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        manifest = manifest_of(program)
        (self.client / "manifest.json").write_bytes(manifest)
        shutil.copy(program, self.server / "program.sluice")
        self.insecure = ["--allow-insecure"] if b'"insecure":true' in manifest.replace(b" ", b"") else []
        self.secret = b""
        self.check()

    def check(self) -> None:
        for path in self.server.rglob("*"):
            if path.name == "secret.key" or (self.secret and path.is_file() and self.secret in path.read_bytes()):
                raise WalkError(f"the secret key is in the server's folder: {path}")
        if (self.client / "program.sluice").exists():
            raise WalkError("the program is in the client's folder")

    def step(self, folder: Path, tool: str, *arguments: str) -> str:
        environment = {"PATH": "/nonexistent", "HOME": str(folder)}
        output = run([str(self.tools / tool), *arguments], cwd=folder, env=environment)
        self.check()
        return output

    def send(self, path: str, sender: Path, receiver: Path) -> None:
        shutil.copy(sender / path, receiver / Path(path).name)
        self.check()

    def keygen(self) -> None:
        self.step(self.client, "sluice-client", "keygen", "manifest.json", "-o", "keys", *self.insecure)
        secret = (self.client / "keys" / "secret.key").read_bytes()
        self.secret = secret[-160:-32]  # coefficients at the end, before the checksum
        self.send("keys/eval.keys", self.client, self.server)

    def encrypt(self, name: str, values: Path, key: str) -> str:
        ciphertext = f"{name}.ct"
        self.step(
            self.client, "sluice-client", "encrypt", "manifest.json", "--key", f"keys/{key}", str(values),
            "-o", ciphertext, "--input", name, *self.insecure,
        )  # fmt: skip
        self.send(ciphertext, self.client, self.server)
        return ciphertext

    def compute(self, ciphertexts: list[str]) -> None:
        self.step(
            self.server, "sluice-run", "program.sluice", "--keys", "eval.keys", *ciphertexts, "-o", "result.ct"
        )  # fmt: skip
        self.send("result.ct", self.server, self.client)

    def decrypt(self) -> list[list[float]]:
        self.step(
            self.client, "sluice-client", "decrypt", "manifest.json", "--key", "keys/secret.key", "result.ct",
            "-o", "result.csv", *self.insecure,
        )  # fmt: skip
        return read_csv(self.client / "result.csv")


def read_csv(path: Path) -> list[list[float]]:
    with path.open() as file:
        return [[float(value) for value in row] for row in csv.reader(file)]


def write_csv(path: Path, rows: list[list[float]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def sample_case(scratch: Path, build_folder: Path) -> tuple[Path, dict[str, Path], list[list[float]]]:
    run([str(build_folder / "test-tools" / "make-sample"), str(scratch)])
    inputs = {"x": write_csv(scratch / "x.csv", SAMPLE_X), "y": write_csv(scratch / "y.csv", [SAMPLE_Y])}
    expected = [[SAMPLE_C[e] * row[(e + 1) % 4] * SAMPLE_Y[(e + 1) % 4] for e in range(4)] for row in SAMPLE_X]
    return scratch / "sample.sluice", inputs, expected


def expect_close(found: list[list[float]], expected: list[list[float]], tolerance: float) -> None:
    if [len(row) for row in found] != [len(row) for row in expected]:
        raise WalkError(f"the result has the shape of {found}, but {expected} was expected")
    worst = max(abs(a - b) for row, other in zip(found, expected, strict=True) for a, b in zip(row, other, strict=True))
    if not worst <= tolerance:
        raise WalkError(f"the result is off by {worst}, more than {tolerance}")
    print(f"result as expected, worst error {worst:.3g}")


def walk(arguments: argparse.Namespace) -> None:
    scratch = arguments.scratch.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    targets = ["sluice-client", "sluice-run"] + ([] if arguments.program else ["make-sample"])
    folder = build(scratch, targets)
    for tool in ("sluice-client", "sluice-run"):
        expect_no_llvm(folder / "bin" / tool)
    print("built sluice-client and sluice-run without LLVM")

    if arguments.program:
        program = arguments.program.resolve()
        inputs = {name: Path(path).resolve() for name, path in (entry.split("=", 1) for entry in arguments.input)}
        expected = read_csv(arguments.expect)
    else:
        program, inputs, expected = sample_case(scratch, folder)
    steps = Walk(scratch, folder / "bin", program)
    steps.keygen()
    # The first with the secret key, the others with the public one.
    keys = ["secret.key"] + ["public.key"] * len(inputs)
    steps.compute([steps.encrypt(name, path, key) for (name, path), key in zip(inputs.items(), keys, strict=False)])
    result = steps.decrypt()
    print("the server's folder never held secret.key")
    expect_close(result, expected, arguments.tolerance)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--input", action="append", default=[], metavar="NAME=VALUES")
    parser.add_argument("--expect", type=Path)
    parser.add_argument("--tolerance", type=float, default=2.0**-15)
    arguments = parser.parse_args()
    if arguments.program and not (arguments.input and arguments.expect):
        parser.error("--program needs --input and --expect")
    try:
        walk(arguments)
    except WalkError as failure:
        print(f"no_llvm.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
