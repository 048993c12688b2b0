"""The computer player of Herd: it plans whole turns, and has learned what positions are worth."""

from __future__ import annotations

from reedlight.players.herd.mind import HerdMind, mind

__all__ = ["HerdMind", "mind"]
