"""DXF: a template as the file that laser cutters and drafting programs read, in millimetres, of the year 2000.

The same template gives the same bytes: dates, versions and random names, which nobody cuts, are left out.
"""

# The library's own annotations are incomplete where a drawing's attributes are dictionaries.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from io import StringIO

from ezdxf._options import options
from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new

from hardware.generator.cutting import LAYERS
from hardware.generator.drawing import Circle, Path, Sheet

# A drawing's size is that of the whole letter, a DXF's that of a capital.
_CAPITAL = 0.72
_MILLIMETRES = 4


def dxf(sheet: Sheet) -> str:
    """The template as a DXF."""
    as_before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        return _written(sheet)
    finally:
        options.write_fixed_meta_data_for_testing = as_before


def _written(sheet: Sheet) -> str:
    document = new("R2000", units=_MILLIMETRES)
    for layer, (_, colour) in LAYERS.items():
        document.layers.add(layer, color=colour)
    space = document.modelspace()
    for shape in sheet.shapes:
        attributes = {"layer": shape.layer}
        if isinstance(shape, Path):
            space.add_lwpolyline(shape.points, close=shape.closed, dxfattribs=attributes)
        elif isinstance(shape, Circle):
            space.add_circle(shape.centre, shape.radius, dxfattribs=attributes)
        else:
            text = space.add_text(shape.text, height=shape.size * _CAPITAL, dxfattribs=attributes)
            text.set_placement(shape.at, align=TextEntityAlignment.CENTER)
    written = StringIO()
    document.write(written)
    return written.getvalue()
