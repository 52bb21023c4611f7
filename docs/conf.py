"""The documentation site: python -m sphinx -W --keep-going -b html docs OUT."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import rookery
import rookery.pgn

for name in rookery.pgn.__all__:  # imported on first use, and autodoc lists only what is there
    getattr(rookery.pgn, name)

project = "rookery"
author = "the rookery developers"
project_copyright = "2026, the rookery developers. MIT licence"
release = version = rookery.__version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx_copybutton",
    "docsite.about_pages",
    "docsite.board",
    "docsite.docstring_hooks",
    "docsite.explorer",
    "docsite.pages",
    "docsite.try_it",
    "live_figures.directive",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_fence_as_directive = ["board"]  # elsewhere such a block is a drawing in letters
myst_heading_anchors = 4  # GitHub gives every heading an address: so do we
default_role = "py:obj"  # in docstrings: a link if the name is known, else code

html_theme = "furo"
html_title = "rookery"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["scrolling.js"]
html_copy_source = False
html_search_scorer = str(Path(__file__).resolve().parents[1] / "tools" / "docsite" / "scorer.js")
html_theme_options = {"source_edit_link": "of each page"}  # docsite.about_pages has them
html_domain_indices = False  # of modules: one is named
html_show_sphinx = False

# The copied text is what one types, without prompts and output.
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
