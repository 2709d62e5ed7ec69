"""Write the skeleton of a pass: entry in Passes.td, source, place in the pipeline, test (docs/howto/add-a-pass.md).

    tools/dev/new_pass.py merge-divisions --after expand-base-changes \\
        --summary "divides once where two divisions follow each other" \\
        --reason "Divisions are visible only after the expansion."

The pass comes right after another one, in Passes.td as in the pipeline. Nothing is overwritten.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Words of a flag that are not just capitalised in the class name.
ACRONYMS = {"ckks": "CKKS", "rns": "RNS", "to": "To"}

ENTRY = """
def {name} : Pass<"{flag}", "mlir::ModuleOp"> {{
  let summary = "{summary}";
  let description = [{{
    What it does, on which form of the program, and the source (paper and section, or docs/mathematics.md).

    When: after `{after}`. Example: `test/passes/{flag}.mlir`.
  }}];
}}
"""

SOURCE = """\
{banner}
//
// {sentence}
//
{rule}
#include "passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace sluice {{

#define GEN_PASS_DEF_{macro}
#include "passes/Passes.h.inc"

namespace {{

struct {name} : impl::{name}Base<{name}> {{
  void runOnOperation() override {{
    ModuleOp module = getOperation();
    module.emitError("{flag} is not implemented yet");
    signalPassFailure();
  }}
}};

}} // namespace

}} // namespace sluice
"""

TEST = """\
// RUN: sluice-opt --{flag} %s | FileCheck %s

// {sentence}
// CHECK-LABEL: func.func @program
func.func @program() {{
  return
}}
"""


class PassError(Exception):
    """Why nothing was written."""


def class_name(flag: str) -> str:
    return "".join(ACRONYMS.get(word, word.capitalize()) for word in flag.split("-"))


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def insert_after(text: str, pattern: str, addition: str, where: str) -> str:
    """`text` with `addition` behind the only match of `pattern`."""
    matches = list(re.finditer(pattern, text, re.MULTILINE | re.DOTALL))
    if len(matches) != 1:
        raise PassError(f"{where}: {len(matches)} places fit instead of one")
    end = matches[0].end()
    return text[:end] + addition + text[end:]


def edits(root: Path, flag: str, after: str, summary: str, reason: str) -> dict[Path, str]:
    """The new text of each file that changes."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", flag):
        raise PassError(f"'{flag}' is no flag of a pass; write verb-noun or a-to-b in lower case")
    name, previous = class_name(flag), class_name(after)
    declarations, build, pipelines = (
        root / f"passes/{file}" for file in ("Passes.td", "CMakeLists.txt", "Pipelines.cpp")
    )
    source, test = root / f"passes/{name}.cpp", root / f"test/passes/{flag}.mlir"
    for path in (source, test):
        if path.exists():
            raise PassError(f"{path.relative_to(root)} exists already")
    if f'Pass<"{after}"' not in declarations.read_text():
        raise PassError(f"passes/Passes.td has no pass '{after}'")
    fields = {
        "flag": flag,
        "name": name,
        "after": after,
        "summary": summary,
        "sentence": sentence(summary),
        "macro": name.upper(),
        "banner": f"//===- {name}.cpp - {summary} ".ljust(94, "-")[:94] + "===//",
        "rule": "//===" + "-" * 90 + "===//",
    }
    return {
        declarations: insert_after(
            declarations.read_text(),
            rf'^def {previous} : Pass<"{after}".*?^}}\n',
            ENTRY.format(**fields),
            "passes/Passes.td",
        ),
        build: insert_after(build.read_text(), rf"^  {previous}\.cpp\n", f"  {name}.cpp\n", "passes/CMakeLists.txt"),
        pipelines: insert_after(
            pipelines.read_text(),
            rf"^ *passes\.addPass\(create{previous}\([^;]*;\n",
            f"  // {sentence(reason)}\n  passes.addPass(create{name}());\n",
            "passes/Pipelines.cpp",
        ),
        source: SOURCE.format(**fields),
        test: TEST.format(**fields),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flag", help="name on the command line, verb first: merge-divisions")
    parser.add_argument("--after", required=True, help="flag of the pass that it follows")
    parser.add_argument("--summary", required=True, help="one line, what the pass does: 'divides once where ...'")
    parser.add_argument("--reason", required=True, help="why it comes at this place of the pipeline")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    arguments = parser.parse_args()
    root = arguments.root
    try:
        changes = edits(root, arguments.flag, arguments.after, arguments.summary, arguments.reason)
    except PassError as fault:
        print(f"new_pass.py: {fault}", file=sys.stderr)
        return 1
    for path, text in changes.items():
        path.write_text(text)
        print(path.relative_to(root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
