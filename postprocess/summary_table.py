#!/usr/bin/python3
"""Prints the summary.csv of a study as a table in Markdown: a row for each variant, a column for each quantity, and beside it what is expected where that is known.

    summary_table.py jobs/ball_squish/out/study/summary.csv
"""

import argparse
import csv


def tables(rows):
    """{variant: {quantity: (value, unit, expected)}} from the rows of summary.csv, whose quantities are "quantity: variant"."""
    result = {}
    for row in rows:
        quantity, _, variant = row["quantity"].partition(": ")
        result.setdefault(variant, {})[quantity] = (row["value"], row["unit"], row["expected"])
    return result


def rounded(text, digits=4):
    try:
        return f"{float(text):.{digits}g}"
    except ValueError:
        return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("summary")
    arguments = parser.parse_args()
    with open(arguments.summary, newline="") as file:
        variants = tables(csv.DictReader(file))
    quantities, units, with_expected = [], {}, set()
    for values in variants.values():
        for quantity, (_, unit, expected) in values.items():
            if quantity not in quantities:
                quantities.append(quantity)
            units[quantity] = unit
            if expected:
                with_expected.add(quantity)
    header = [""]
    for quantity in quantities:
        header.append(quantity + (f" [{units[quantity]}]" if units[quantity] else ""))
        if quantity in with_expected:
            header.append("expected")
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for variant, values in variants.items():
        cells = [variant]
        for quantity in quantities:
            value, _, expected = values.get(quantity, ("", "", ""))
            cells.append(rounded(value))
            if quantity in with_expected:
                cells.append(expected)
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
