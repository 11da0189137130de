"""How long functions of the package may be, how many parameters they have, and whose private members they use."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from tests.support.evidence import compared
from tests.support.paths import PACKAGE, ROOT, syntax

MOST_LINES, MOST_PARAMETERS = 40, 8
#: private by their names alone: what a NamedTuple has, and what notebooks call
NO_SECRETS = {"_replace", "_asdict", "_fields", "_make", "_repr_html_"}
#: of other packages: Triton's active driver is known without being made by no other name
FOREIGN = {("src/warpsim/compile/triton.py", "_active"), ("src/warpsim/compile/triton_launch.py", "_active")}
CALLED = ("__init__", "__new__", "__call__")
Texts = Mapping[str, str]  # by path, from the root
Function = ast.FunctionDef | ast.AsyncFunctionDef


def package() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}


def functions(text: str) -> Iterator[tuple[str, Function]]:
    """Every function of a text with its name, after those of its classes."""

    def below(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            is_function = isinstance(child, Function)
            own = (*names, child.name) if isinstance(child, Function | ast.ClassDef) else names
            if is_function:
                yield ".".join(own), child
            yield from below(child, own)

    return below(syntax(text), ())


def imported(texts: Texts, path: str) -> dict[str, tuple[str, str]]:
    """The names that a module takes from others of the package: file and name there; a module has no name."""
    found = {}
    for node in ast.walk(syntax(texts[path])):
        if not isinstance(node, ast.ImportFrom) or node.level == 0:
            continue
        folder = PurePosixPath(path).parents[node.level - 1]
        for alias in node.names:
            base = folder.joinpath(*(node.module or "").split(".")) if node.module else folder
            for file, name in (
                (f"{base}.py", alias.name), (f"{base}/__init__.py", alias.name),
                (f"{base}/{alias.name}.py", ""), (f"{base}/{alias.name}/__init__.py", ""),
            ):  # fmt: skip
                if file in texts and (name == "" or node.module):
                    found[alias.asname or alias.name] = (file, name)
                    break
    return found


def exported(text: str) -> list[str]:
    """The names in __all__."""
    for node in syntax(text).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return list(ast.literal_eval(node.value))
    return []


def public(texts: Texts, path: str = "src/warpsim/__init__.py") -> set[tuple[str, str]]:
    """File and name of every function whose signature users see: functions, and methods of classes and their bases."""
    found: set[tuple[str, str]] = set()
    known = imported(texts, path)
    for name in exported(texts[path]):
        file, inside = known.get(name, (path, name))
        if inside == "":
            found |= public(texts, file)
            continue
        found |= shown(texts, file, inside)
    return found


def shown(texts: Texts, file: str, name: str) -> set[tuple[str, str]]:
    """The functions behind one public name."""
    if file not in texts:
        return set()
    nodes = {node.name: node for node in syntax(texts[file]).body if isinstance(node, ast.ClassDef | Function)}
    node = nodes.get(name)
    if isinstance(node, Function):
        return {(file, name)}
    if not isinstance(node, ast.ClassDef):
        return set()
    methods = [one.name for one in node.body if isinstance(one, Function)]
    found = {(file, f"{name}.{one}") for one in methods if one in CALLED or not one.startswith("_")}
    others = imported(texts, file)
    for base in node.bases:
        if isinstance(base, ast.Name) and (base.id in nodes or base.id in others):
            found |= shown(texts, *others.get(base.id, (file, base.id)))
    return found


def parameters(function: Function) -> int:
    """How many, without self and cls."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    names += [one.arg for one in (given.vararg, given.kwarg) if one is not None]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def lines(function: Function, is_public: bool) -> int:
    """Of the whole; of one that users see, without its signature and what it says to them."""
    first = function.lineno
    if is_public:
        body = function.body
        says = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
        first = body[1].lineno if says else body[0].lineno
    return (function.end_lineno or first) - first + 1


def too_much(texts: Texts) -> list[str]:
    """Functions with too many lines or parameters."""
    users, found = public(texts), []
    for path, text in texts.items():
        for name, function in functions(text):
            is_public = (path, name) in users
            if lines(function, is_public) > MOST_LINES:
                found.append(f"{path}: {name}: {lines(function, is_public)} lines")
            if not is_public and parameters(function) > MOST_PARAMETERS:
                found.append(f"{path}: {name}: {parameters(function)} parameters")
    return found


def own_members(text: str) -> set[str]:
    """The private members that the classes of a file define."""
    found = set()
    for node in ast.walk(syntax(text)):
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, Function):
                    found.add(one.name)
                targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
                flat = [t for target in targets for t in (target.elts if isinstance(target, ast.Tuple) else [target])]
                found |= {target.id for target in flat if isinstance(target, ast.Name)}
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value):
            found.add(node.attr)
    return found


def is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def trespasses(texts: Texts) -> list[str]:
    """Uses of private members of classes that another file defines."""
    found = []
    for path, text in texts.items():
        own = own_members(text) | NO_SECRETS
        for node in ast.walk(syntax(text)):
            if not isinstance(node, ast.Attribute) or is_self(node.value) or not re.match("_[^_]", node.attr):
                continue
            if node.attr not in own and (path, node.attr) not in FOREIGN:
                found.append(f"{path}: {ast.unparse(node)}")
    return sorted(found)


def test_functions_are_short_and_take_few_parameters() -> None:
    texts = package()
    assert too_much(texts) == []
    compared("functions of the package", sum(len(list(functions(text))) for text in texts.values()), at_least=1500)
    path = "src/warpsim/kernel/new.py"
    body = "\n".join(f"    a{i} = {i}" for i in range(39))
    assert too_much({**texts, path: f"def f():\n{body}\n"}) == []
    assert too_much({**texts, path: f"def f():\n{body}\n    b = 1\n"}) == [f"{path}: f: 41 lines"]
    nine = ", ".join(f"p{i}" for i in range(9))
    assert too_much({**texts, path: f"class C:\n    def f(self, {nine[4:]}): ...\n"}) == []
    assert too_much({**texts, path: f"class C:\n    def f(self, {nine}): ...\n"}) == [f"{path}: C.f: 9 parameters"]


def test_signatures_that_users_see_may_have_more_parameters_and_only_these() -> None:
    texts = package()
    users = public(texts)
    compared("signatures that users see", len(users), at_least=150)
    assert {
        ("src/warpsim/kernel/module.py", "Kernel.__call__"), ("src/warpsim/tile/search.py", "search"),
        ("src/warpsim/testing/asserts.py", "assert_conflict_free"),
        ("src/warpsim/instruction/base.py", "DataMovement.execute"),
    } <= users  # fmt: skip
    path = "src/warpsim/tile/search.py"
    assert too_much({**texts, path: texts[path].replace("def search(", "def hidden(")}) != []
    longer = texts[path].replace("    used = users(", "\n".join(["    _ = 0"] * 40) + "\n    used = users(", 1)
    assert longer != texts[path] and [one for one in too_much({**texts, path: longer}) if ": search: " in one]


def test_no_file_uses_private_members_of_classes_of_another() -> None:
    texts = package()
    assert trespasses(texts) == []
    compared("files that mind their own", len(texts), at_least=190)
    path = "src/warpsim/kernel/new.py"
    for use in ("kernel._module._core.place(1)", "layout._core", "one._entry.refuse()"):
        assert trespasses({**texts, path: f"def f(kernel, layout, one):\n    return {use}\n"}) != []
    own = "class C:\n    _a = 1\n    def __init__(self):\n        self._b = 2\ndef f(c):\n    return c._a + c._b\n"
    assert trespasses({**texts, path: own}) == []
