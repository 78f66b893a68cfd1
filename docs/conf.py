"""How the documentation is built: `sphinx-build --fail-on-warning -b html docs docs/build/html`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # for `mathml` and `tutorial_order`

from sphinx.application import Sphinx  # noqa: E402

import jourdain  # noqa: E402

project = "Jourdain"
copyright = "the Jourdain authors, BSD-3-Clause"
version = release = jourdain.__version__

extensions = [
    "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "sphinx_gallery.gen_gallery", "mathml",
]  # fmt: skip
# Of what the gallery writes, its own indexes are left out: index.rst lists the pages, in their order.
exclude_patterns = ["build", "tutorials", "papers", "generated/*/index.rst"]
default_role = "code"  # our docstrings put names between single backticks
html_math_renderer = "mathml"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
viewcode_line_numbers = True

sphinx_gallery_conf: dict[str, Any] = {
    "examples_dirs": ["tutorials", "papers"],
    "gallery_dirs": ["generated/tutorials", "generated/papers"],
    "filename_pattern": r"\.py$",  # all are run
    "within_subsection_order": "tutorial_order.ByOrder",
    "abort_on_example_error": True,
    "capture_repr": ("_repr_html_", "__repr__"),
    "image_scrapers": ("matplotlib",),
    "reset_modules": ("matplotlib",),
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "plot_gallery": True,
    "download_all_examples": False,
}

html_theme = "furo"
html_title = f"Jourdain {release}"
html_static_path = ["static"]
html_css_files = ["own.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options: dict[str, Any] = {
    "light_css_variables": {
        "color-brand-primary": "#8a3b12",
        "color-brand-content": "#8a3b12",
        "font-stack": "Charter, 'Bitstream Charter', Georgia, serif",
        "font-stack--monospace": "'DejaVu Sans Mono', Menlo, Consolas, monospace",
    },
    "dark_css_variables": {"color-brand-primary": "#f0a878", "color-brand-content": "#f0a878"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"


def skip_inner_works(app: Sphinx, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Of a model, what its own parts use; None leaves it to the others to decide."""
    return True if getattr(value, "__qualname__", "").startswith("Workshop.") else None


def setup(app: Sphinx) -> None:
    """Arrays are shown with few digits; a model's inner works are left out."""
    import numpy as np

    np.set_printoptions(precision=4, suppress=True, linewidth=110)
    app.connect("autodoc-skip-member", skip_inner_works)
