"""What is tested here lies beside ``controller`` and is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).parent.parent.parent)
if ROOT not in sys.path:
    sys.path.append(ROOT)
