"""Reads the tables of a PDF's first page with another program, for comparison with Fanlight.

    tables.py pdfplumber|camelot FILE

Prints the tables as JSON: a list of tables, each a list of rows of texts.
"""
import json
import sys


def pdfplumber(path):
    import pdfplumber

    with pdfplumber.open(path) as document:
        return [[[cell or "" for cell in row] for row in table] for table in document.pages[0].extract_tables()]


def camelot(path):
    import camelot

    return [table.data for table in camelot.read_pdf(path, pages="1", flavor="lattice")]


if __name__ == "__main__":
    reader, path = sys.argv[1:]
    print(json.dumps({"pdfplumber": pdfplumber, "camelot": camelot}[reader](path)))
