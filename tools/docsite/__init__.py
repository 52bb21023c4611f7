"""The documentation site: what `docs/conf.py` needs beside Sphinx.

explorer           the directive `explorer`, which puts the explorer's page into another
pages              what is generated before Sphinx looks for pages
technique_pages    a page for each technique, from its module, card, tables and recorded speed
docstrings         docstrings as reStructuredText
repository         where links to files of the repository lead
"""
