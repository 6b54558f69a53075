#!/usr/bin/env python3
"""Writes src/base/char_widths.h from Python's Unicode data.

Usage: python3 tests/lib/make_char_widths.py > src/base/char_widths.h

Widths follow wcwidth: nonspacing and enclosing marks, format characters (except the soft hyphen) and
the joining vowels and finals of Hangul take no column, East Asian wide and full-width characters two.
"""
import unicodedata

LONGEST = 1 << 11
IDEOGRAPHS = (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)


def width(code):
    char = chr(code)
    if unicodedata.category(char) in ("Mn", "Me", "Cf") and code != 0xAD:
        return 0
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:
        return 0
    if unicodedata.category(char) == "Cn":  # of unassigned places only those of ideographs are wide
        return 2 if any(first <= code <= last for first, last in IDEOGRAPHS) else 1
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def ranges(wanted):
    found, start = [], None
    for code in range(0x300 if wanted == 0 else 0x1100, 0x110001):
        inside = code < 0x110000 and not 0xD800 <= code < 0xE000 and width(code) == wanted
        if inside and start is None:
            start = code
        if not inside and start is not None:
            found += [(at, min(code, at + LONGEST) - at) for at in range(start, code, LONGEST)]
            start = None
    return found


def table(name, wanted):
    items = [f"0x{first << 11 | count - 1:08x}," for first, count in ranges(wanted)]
    print(f"static const uint32_t {name}[] = {{")
    for at in range(0, len(items), 8):
        print("    " + " ".join(items[at:at + 8]))
    print("};")


print(f"""/* char_widths.h - made by tests/lib/make_char_widths.py from Unicode {unicodedata.unidata_version}; not edited by hand.
 *
 * Ascending ranges, each its first character << 11 | its length - 1. */""")
table("zero_columns", 0)
print()
table("two_columns", 2)
