"""Make the golden files of the current format version again: test/compat/v1.

    tools/dev/bless_compat.py [--build build/runtime-only] --because "what changed and why old files may break"

They are a promise: every later version reads them. Making them again breaks it, so that a reason is asked for; write it
into docs/decisions.md too. What they hold is said in test/runtime/exec/sample/make_sample.cpp.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "test" / "compat" / "v1"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "runtime-only")
    parser.add_argument("--because", required=True, help="the reason, for docs/decisions.md")
    arguments = parser.parse_args()

    subprocess.run(["ninja", "-C", str(arguments.build), "make-sample"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        tool = arguments.build / "test-tools" / "make-sample"
        subprocess.run([str(tool), "--all", folder], check=True)
        GOLDEN.mkdir(parents=True, exist_ok=True)
        for path in sorted(Path(folder).iterdir()):
            old, new = GOLDEN / path.name, path.read_bytes()
            state = "new" if not old.exists() else "same" if old.read_bytes() == new else "CHANGED"
            old.write_bytes(new)
            print(f"{state:8} {path.name} ({len(new)} bytes)")
    print(f"Add to docs/decisions.md: {arguments.because}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
