"""Field: what a disc magnet, and a stack of pieces with one each, do at a place beside or under it.

A disc that is magnetised through its thickness is a sheet of current around its rim. Its field off the axis is known
in closed form with the complete elliptic integral in Bulirsch's general form (Derby and Olbert, American Journal of
Physics 78, 2010), exact for magnets in air; steel nearby and the reeds themselves bend it, and are not known here.

Lengths are mm, fields mT. Only the component along the axis counts: an upright reed feels no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import fsum, pi, sqrt

# The iteration ends when two means agree to this, relatively; it squares the error each time.
_AGREE = 1e-8


@dataclass(frozen=True, slots=True)
class Disc:
    """One magnet."""

    diameter: float
    thickness: float
    remanence: float
    """Tesla."""


def elliptic(kc: float, p: float, c: float, s: float) -> float:
    """Bulirsch's complete elliptic integral cel(kc, p, c, s) for positive p."""
    k, root = abs(kc), sqrt(p)
    s = s / root
    mean = 1.0
    p = root
    f = c
    c = c + s / p
    g = k / p
    s = 2 * (s + f * g)
    p = g + p
    g = mean
    mean = k + mean
    product = k
    while abs(g - k) > g * _AGREE:
        k = 2 * sqrt(product)
        product = k * mean
        f = c
        c = c + s / p
        g = product / p
        s = 2 * (s + f * g)
        p = g + p
        g = mean
        mean = k + mean
    return pi / 2 * (s + c * mean) / (mean * (mean + p))


@cache
def axial(disc: Disc, off: float, below: float) -> float:
    """The axial field, in mT, so far beside the axis and so far below the disc's lower face."""
    radius = disc.diameter / 2
    # On the very rim's cylinder the integral has a removable gap.
    off = off + 1e-9 if abs(off - radius) < 1e-9 else off
    ratio = (radius - off) / (radius + off)
    ends = ((below + disc.thickness, 1.0), (below, -1.0))
    total = fsum(sign * _end(radius, off, z, ratio) for z, sign in ends)
    return 1000 * disc.remanence / pi * radius / (radius + off) * total


def _end(radius: float, off: float, z: float, ratio: float) -> float:
    """What one rim of the current's sheet contributes."""
    far = z * z + (radius + off) ** 2
    near = z * z + (radius - off) ** 2
    return z / sqrt(far) * elliptic(sqrt(near / far), ratio * ratio, 1.0, ratio)


def stack(disc: Disc, high: int, piece: float, off: float, gap: float) -> float:
    """The axial field of pieces on each other, each so high with its magnet at the bottom, at the reed's gap."""
    return fsum(axial(disc, off, gap + piece * number) for number in range(high))
