"""The report as a web page: one file in all languages that opens from disk, with a filter by verdict."""

from __future__ import annotations

from symtrans.page.report import ReportWriter
from symtrans.page.web.verdicts import report

REPORT = ReportWriter("html", report, (".html", ".htm"))
"""Chosen by the file's ending too."""
