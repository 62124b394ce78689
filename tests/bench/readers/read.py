"""Reads the text of every page of a PDF with another program, for comparison with Fanlight.

    read.py pymupdf|pdfplumber FILE

Prints the number of characters, which shows whether the program reads anything.
"""
import sys


def pymupdf(path):
    import pymupdf

    with pymupdf.open(path) as document:
        return sum(len(page.get_text()) for page in document)


def pdfplumber(path):
    import pdfplumber

    characters = 0
    with pdfplumber.open(path) as document:
        for page in document.pages:
            characters += len(page.extract_text() or "")
            page.close()
    return characters


if __name__ == "__main__":
    reader, path = sys.argv[1:]
    print({"pymupdf": pymupdf, "pdfplumber": pdfplumber}[reader](path))
