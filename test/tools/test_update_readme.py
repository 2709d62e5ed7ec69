"""The README's measured table is made from the newest record."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_is_that_of_the_newest_record():
    command = [sys.executable, str(ROOT / "tools/dev/update_readme.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_roofline_is_that_of_the_newest_records():
    command = [sys.executable, str(ROOT / "tools/dev/update_roofline.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
