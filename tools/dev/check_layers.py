"""Check that #includes and imports follow the arrows of the architecture (docs/architecture.md).

Prints one line for each that does not, `file:line: what; what would be right`, and exits 1 if there is any. A new arrow
needs a line in ARROWS here and one in docs/decisions.md.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# layer -> the layers that it may use; what those may use, it may use too. `mlir` stands for MLIR and LLVM.
ARROWS = {
    "runtime/abi": [],
    "runtime/base": ["runtime/abi"],
    "runtime/kernels": ["runtime/base"],
    "runtime/ring": ["runtime/kernels"],
    "runtime/wire": ["runtime/ring"],
    "runtime/exec/backend.h": ["runtime/ring"],  # the interface that cpu and cuda implement
    "runtime/cpu": ["runtime/ring", "runtime/exec/backend.h"],
    "runtime/cuda": ["runtime/ring", "runtime/exec/backend.h"],
    "runtime/exec": ["runtime/wire", "runtime/cpu", "runtime/cuda"],
    "runtime/calibrate": ["runtime/cpu", "runtime/cuda"],
    "runtime/client": ["runtime/wire"],
    "dialects/CKKS/Scale": [],  # exact scales: plain C++
    "dialects/CKKS": ["dialects/CKKS/Scale", "mlir"],
    "dialects/RNS": ["mlir"],
    "dialects": ["dialects/CKKS", "dialects/RNS"],
    "passes/algorithms": ["dialects/CKKS/Scale", "runtime/ring"],
    "passes": ["passes/algorithms", "dialects", "runtime/abi", "runtime/ring"],
    "passes/driver": ["passes", "runtime/wire"],
    "frontend/bindings": ["passes/driver", "runtime/client", "runtime/exec", "runtime/calibrate"],
    "frontend/sluice": [],
    "tools/sluice-opt": ["passes/driver"],
    "tools/sluice-compile": ["passes/driver"],
    "tools/sluice-run": ["runtime/exec"],
    "tools/sluice-client": ["runtime/client"],
    "tools/sluice-calibrate": ["runtime/calibrate", "runtime/wire"],
    "mlir": [],
}

# Files that are a layer of their own.
FILE_LAYERS = {
    "runtime/exec/backend.h": "runtime/exec/backend.h",
    "dialects/CKKS/Natural.h": "dialects/CKKS/Scale",
    "dialects/CKKS/Natural.cpp": "dialects/CKKS/Scale",
    "dialects/CKKS/Scale.h": "dialects/CKKS/Scale",
    "dialects/CKKS/Scale.cpp": "dialects/CKKS/Scale",
}

# The two dialects do not know each other; only these may know both: the bridge, what registers them, and the pass that
# takes the digits of key switching from ckks.params.
BRIDGES = {"passes/CKKSToRNS.cpp", "passes/SelectKeySwitching.cpp", "dialects/InitDialects.h"}

SOURCES = {".cpp", ".h", ".td", ".def", ".cu", ".cuh", ".inc"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def layer_of(path: str) -> str | None:
    """The layer of a file of the repository, or of an include; None for the standard library and third parties."""
    if path in FILE_LAYERS:
        return FILE_LAYERS[path]
    if path.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/", "clang/", "lld/")):
        return "mlir"
    folders = path.split("/")[:-1]
    while folders:
        if "/".join(folders) in ARROWS:
            return "/".join(folders)
        folders.pop()
    return None


@cache
def reachable(layer: str) -> frozenset[str]:
    """`layer` and every layer that it may use."""
    return frozenset({layer}).union(*(reachable(target) for target in ARROWS[layer]))


def check_includes(root: Path) -> Iterator[str]:
    folders = sorted({layer.split("/")[0] for layer in ARROWS if layer != "mlir"})
    files = (file for folder in folders for file in sorted((root / folder).rglob("*")))
    for file in files:
        path = file.relative_to(root).as_posix()
        layer = layer_of(path)
        if file.suffix not in SOURCES or layer is None:
            continue
        text = file.read_text()
        dialects = {}
        for match in INCLUDE.finditer(text):
            target = match.group(1)
            place = f"{path}:{text.count(chr(10), 0, match.start(1)) + 1}"
            used = layer_of(target)
            if target.startswith(".."):
                yield f"{place}: includes {target}; write it from the root of the repository"
            if used is not None and used not in reachable(layer):
                allowed = ", ".join(sorted(reachable(layer) - {layer})) or "no other layer"
                yield f"{place}: {layer} includes {target}; it may use {allowed}"
            if used in ("dialects/CKKS", "dialects/RNS"):
                dialects.setdefault(used, place)
        if len(dialects) == 2 and path not in BRIDGES:
            yield f"{max(dialects.values())}: knows both dialects; only {', '.join(sorted(BRIDGES))} may"


def imported_modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, top-level module) of every absolute import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.split(".")[0]


def declared_dependencies(root: Path) -> set[str]:
    """Modules that the Python package may import: its dependencies, required or optional."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    optional = project.get("optional-dependencies", {})
    lists = [project.get("dependencies", []), *(optional[name] for name in optional if name != "test")]
    return {re.split(r"[<>=\[; ]", entry)[0].replace("-", "_") for entries in lists for entry in entries}


def check_imports(root: Path) -> Iterator[str]:
    folders = [root / name for name in ("frontend", "tools", "test", "bench", "examples")]
    allowed = sys.stdlib_module_names | declared_dependencies(root) | {"sluice"}
    for file in sorted(file for folder in folders for file in folder.rglob("*.py")):
        path = file.relative_to(root).as_posix()
        for line, module in imported_modules(ast.parse(file.read_text())):
            if module == "mlir":
                yield f"{path}:{line}: imports mlir; MLIR is used from C++ only"
            elif path.startswith("frontend/sluice/") and module not in allowed:
                yield f"{path}:{line}: imports {module}, which is no dependency in pyproject.toml"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository to check")
    root = parser.parse_args().root
    faults = [*check_includes(root), *check_imports(root)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
