"""The documentation site: what `docs/conf.py` needs beside Sphinx.

explorer      the directive `explorer`, which puts the explorer's page into another
"""
