"""The documentation: `sphinx-build -W --keep-going -n -b html docs build/docs`.

It shows the installed package, like the tests, and asks no other host for anything.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

import warpsim
from warpsim.render.svg import DARK

project = "warpsim"
version = release = warpsim.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "sphinx_design"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

#: what is copied of a block with prompts: the commands, without their outputs
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
copybutton_copy_empty_lines = False

default_role = "code"  # docstrings mark code by single backticks
smartquotes = False  # quotes are code, too
add_module_names = False
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ("ArrayLike", "NDArray")}
nitpick_ignore_regex = [("py:class", r"(?!warpsim\.).*")]  # types of others, and aliases
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
PLAIN = (warpsim.Layout, warpsim.Swizzle, warpsim.Arch)
MADE += PLAIN


class Written(str):
    """A type as the source has it: without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def as_written(annotation: Any) -> Written:
    """The words of an annotation."""
    return Written(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def typed(function: Any) -> tuple[str, str]:
    """The parameters of a function with their types, and the type of what it gives."""
    found = inspect.signature(function)
    parameters = [
        one if one.annotation is one.empty else one.replace(annotation=as_written(one.annotation))
        for one in found.parameters.values()
        if one.name not in ("self", "cls")
    ]
    gives = "" if found.return_annotation is found.empty else as_written(found.return_annotation)
    return str(inspect.Signature(parameters)), gives


@cache
def stubbed() -> dict[str, dict[str, str]]:
    """What the stub says of the classes that are made in C: attributes with types, `name()` with its signature."""
    tree = ast.parse(Path(warpsim.__file__).parent.joinpath("_core", "core.pyi").read_text("utf-8"))
    found: dict[str, dict[str, str]] = {}
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        made = found.setdefault(kind.name, {})
        for node in kind.body:
            if isinstance(node, ast.AnnAssign):
                made[ast.unparse(node.target)] = re.sub(r"^Final\[(.*)\]$", r"\1", ast.unparse(node.annotation))
            elif isinstance(node, ast.FunctionDef) and node.returns:
                gives = ast.unparse(node.returns).replace("_PublicFindings", "Findings")
                taken = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
                made[node.name if node.decorator_list else f"{node.name}()"] = (
                    gives if node.decorator_list else f"({taken}) -> {gives}"
                )
    return found


def attributes(value: type[Any]) -> dict[str, str]:
    """The public attributes of a class that its docstring alone speaks of, with their types."""
    found: dict[str, str] = {}
    if dataclasses.is_dataclass(value):
        found = {field.name: as_written(field.type) for field in dataclasses.fields(value)}
    elif value in (warpsim.Instruction, warpsim.DataMovement) or not issubclass(value, warpsim.Instruction):
        for kind in value.__mro__:
            found |= stubbed().get(kind.__name__, {}) if kind.__module__.startswith("warpsim") else {}
    return {
        name: type_
        for name, type_ in found.items()
        if name[0] != "_" and "(" not in name and not type_.startswith("Callable")
    }


def list_attributes(_app: Sphinx, what: str, name: str, value: Any, _options: Any, lines: list[str]) -> None:
    """Below the docstring of a result: its attributes and their types; before that of an attribute, its type."""
    if what == "class" and not issubclass(value, PLAIN):
        for attribute, type_ in attributes(value).items():
            if not getattr(getattr(value, attribute, None), "__doc__", None) or dataclasses.is_dataclass(value):
                lines += ["", f":ivar {attribute}:", f":vartype {attribute}: {type_}"]
    elif what in ("attribute", "property"):
        *_, owner, member = name.split(".")
        if member in stubbed().get(owner, {}):
            lines[:1] = [f"``{stubbed()[owner][member]}``: {lines[0]}"]


def give_signature(
    _app: Sphinx, what: str, name: str, value: Any, _options: Any, signature: str | None, *_: Any
) -> tuple[str, str] | None:
    """Types as the source has them; C functions have no signature of their own; long numbers are hexadecimal."""
    owner, _, member = name.removeprefix("warpsim.").rpartition(".")
    if what in ("class", "exception") and not issubclass(value, MADE):
        return ("", "") if signature else None
    if owner == "DataMovement" and member in ("execute", "traffic"):
        value = getattr(warpsim.DataMovement, f"_{member}")
    elif signature is None:
        return None
    if f"{member}()" in stubbed().get(owner, {}):
        shown, _, gives = stubbed()[owner][f"{member}()"].partition(" -> ")
    else:
        shown, gives = typed(value)
    return re.sub(r"(?<== )\d{9,}", lambda found: hex(int(found[0])), shown), "" if what == "class" else gives


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_dark_pictures)
    app.connect("doctree-read", trim_examples)
    app.connect("doctree-read", turn_links_inwards)
    app.connect("doctree-resolved", put_pictures_in)
    app.connect("autodoc-process-signature", give_signature)
    app.connect("autodoc-process-docstring", list_attributes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
