"""The committed vectors are what the reference gives."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_vectors_are_current():
    command = [sys.executable, str(ROOT / "tools/dev/bless_vectors.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
