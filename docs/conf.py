"""The documentation: `sphinx-build -W --keep-going -n -b html docs build/docs`.

It shows the installed package, like the tests, and asks no other host for anything.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import warpsim
from warpsim.render.svg import DARK

project = "warpsim"
version = release = warpsim.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]

myst_heading_anchors = 4

default_role = "code"  # docstrings mark code by single backticks
smartquotes = False  # quotes are code, too
add_module_names = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
maximum_signature_line_length = 78

html_theme = "furo"
html_title = f"warpsim {release}"
html_static_path = ["_static"]
html_extra_path = ["../src/warpsim/data/explorer.html"]
html_css_files = ["pages.css", "pictures.css"]
html_copy_source = False
html_domain_indices = False
html_show_copyright = False


def write_dark_pictures(app: Sphinx) -> None:
    """Pictures carry the light colours; here are the dark ones, for readers who want these."""
    if app.builder.format != "html":
        return
    themes = ('body[data-theme="dark"]', 'body[data-theme="auto"]')
    dark, auto = (
        "\n".join(
            f'{theme} .picture svg[fill="{light}"],'
            f' {theme} .picture svg [fill="{light}"] {{ fill: {shown}; }}\n'
            f'{theme} .picture svg [stroke="{light}"] {{ stroke: {shown}; }}'
            for light, shown in DARK.items()
        )
        for theme in themes
    )
    path = Path(app.outdir) / "_static" / "pictures.css"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{dark}\n@media (prefers-color-scheme: dark) {{\n{auto}\n}}\n")


def put_pictures_in(app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """SVG goes into the page itself, where it can be selected, scrolled and coloured."""
    if app.builder.format != "html":
        return
    for image in list(doctree.findall(nodes.image)):
        path = Path(app.srcdir) / image["uri"]
        if path.suffix != ".svg" or not path.exists():
            continue
        svg = path.read_text(encoding="utf-8")
        picture = nodes.raw("", f'<div class="picture" tabindex="0">{svg}</div>', format="html")
        alone = isinstance(image.parent, nodes.paragraph) and len(image.parent) == 1
        (image.parent if alone else image).replace_self(picture)


#: files beside docs/ that pages link to, so that the links hold on a forge -> their pages here
PAGES = {
    "README": "index", "CONTRIBUTING": "contributing", "CHANGELOG": "changelog",
    "SECURITY": "security",
}  # fmt: skip


def trim_examples(_app: Sphinx, doctree: nodes.document) -> None:
    """Examples end with an empty line, for doctest; readers need none."""
    for block in doctree.findall(nodes.literal_block):
        if block.rawsource == block.astext():
            block.rawsource = block.rawsource.rstrip("\n")
            block[:] = [nodes.Text(block.rawsource)]


def turn_links_inwards(app: Sphinx, doctree: nodes.document) -> None:
    """Links to files beside docs/ lead to the pages that show them."""
    for link in doctree.findall(addnodes.pending_xref):
        target = Path(link.get("reftarget", ""))
        if link.get("refdomain") == "doc" and target.parent == Path(app.srcdir).parent:
            link["reftarget"], link["reftargetid"] = PAGES[target.name], None


#: what users make by calling the class; everything else comes out of other calls
MADE = (warpsim.Instruction, warpsim.SharedMemory, warpsim.GlobalMemory, warpsim.AddressSpace)
MADE += (warpsim.Layout, warpsim.Swizzle, warpsim.Arch)


def give_signature(
    _app: Sphinx, what: str, name: str, value: Any, _options: Any, signature: str | None, *_: Any
) -> tuple[str, str] | None:
    """Of C functions, which have none of their own; long numbers are hexadecimal."""
    owner, _, member = name.removeprefix("warpsim.").rpartition(".")
    if what in ("class", "exception") and not issubclass(value, MADE):
        return ("", "") if signature else None
    if owner == "Instruction" and member in ("execute", "traffic"):
        way = inspect.signature(getattr(warpsim.Instruction, f"_{member}"))
        bare = [p.replace(annotation=p.empty) for p in way.parameters.values()][1:]
        signature = str(inspect.Signature(bare))
    if signature is None:
        return None
    return re.sub(r"(?<==)\d{9,}", lambda found: hex(int(found[0])), signature), ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_dark_pictures)
    app.connect("doctree-read", trim_examples)
    app.connect("doctree-read", turn_links_inwards)
    app.connect("doctree-resolved", put_pictures_in)
    app.connect("autodoc-process-signature", give_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
