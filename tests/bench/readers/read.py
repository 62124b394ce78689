"""Reads the text of every page of a PDF with another program's reader: what Fanlight's speed is compared with.

    read.py pymupdf|pdfplumber FILE

Prints how many characters there are, so that a reader that reads nothing is noticed.
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
