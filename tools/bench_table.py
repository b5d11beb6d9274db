#!/usr/bin/env python3
"""Copies the benchmarks' JSON lines to stdout as they arrive, then prints them as a table for people."""
import json
import sys

COLUMNS = ["bench", "metric", "value", "unit", "floor", "ratio", "limit"]


def shown(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def limit_of(result):
    for key, sign in (("at_most", "<="), ("at_least", ">=")):
        if key in result:
            return f"{sign} {shown(result[key])}" + (", MISSED" if result.get("missed") else "")
    return None


def main():
    rows = []
    for line in sys.stdin:
        print(line, end="", flush=True)
        if line.startswith("{"):
            result = json.loads(line)
            result["limit"] = limit_of(result)
            rows.append([shown(result.get(column)) for column in COLUMNS])
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows)]
    print()
    for row in [COLUMNS, ["-" * width for width in widths], *rows]:
        words = [cell.rjust(width) if 2 <= i != 3 else cell.ljust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(words).rstrip())


if __name__ == "__main__":
    main()
