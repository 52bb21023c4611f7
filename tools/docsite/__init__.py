"""The documentation site: what `docs/conf.py` needs besides Sphinx.

board              the directive `board`, which shows a drawn board as a picture
explorer           the directive `explorer`, which puts the explorer's page into another
try_it             the page "try it": positions, perft and a calculator, by the kernels as WebAssembly
pages              what is generated before Sphinx looks for pages
technique_pages    a page for each technique, from its module, card, tables and recorded speed
reference          pages of the reference: every public name
charts             the recorded benchmarks as charts; atlas_page the atlas of magic factors
drawing            charts as SVG
public             the public names
docstrings         docstrings as reStructuredText; docstring_hooks hands them to Sphinx
repository         where links to files of the repository lead
links              whether links within a built site lead somewhere
"""
