"""PTX text -> functions of statements and variables.  Operands are small tuples: (kind, ...)."""

import re
from typing import Any

from tests.support.interpreter.text import STATES, Function, Statement, Variable, width_of

TOKEN = re.compile(
    r'"[^"]*"|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+|0[bB][01]+|\d+\.\d*(?:[eE][+-]?\d+)?|\d+'
    r"|[A-Za-z_$%.][\w$%.]*(?:::[\w$.]+)*|\n|\S"
)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Parser:
    def __init__(self, text: str) -> None:
        text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
        text = re.sub(r"(?<![\w:$])(\.(?:reg|local|shared|param|global|const))(?=\.)", r"\1 ", text)
        self.tokens: list[tuple[str, int]] = []
        line = 1
        for word in TOKEN.findall(text):
            if word == "\n":
                line += 1
            else:
                self.tokens.append((word, line))
        self.tokens.append(("", line))
        self.at = 0
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, Variable] = {}
        self.scopes: list[dict[str, str]] = []
        self.fresh = 0

    @property
    def word(self) -> str:
        return self.tokens[self.at][0]

    def take(self, wanted: str | None = None) -> str:
        word, line = self.tokens[self.at]
        if wanted is not None and word != wanted:
            raise SyntaxError(f"line {line}: {wanted!r} expected, not {word!r}")
        self.at += 1
        return word

    def skip(self, wanted: str) -> bool:
        if self.word == wanted:
            self.at += 1
            return True
        return False

    def skip_line(self) -> None:
        line = self.tokens[self.at][1]
        while self.word and self.tokens[self.at][1] == line:
            self.at += 1

    # ---------------------------------------------------------------- the file
    def module(self) -> "Parser":
        while self.word:
            if self.word in (".version", ".target", ".address_size", ".file"):
                self.skip_line()
            elif self.word == ".section":
                while self.take() != "}":
                    pass
            elif self.word in (".visible", ".extern", ".weak", ".common", ";"):
                self.take()
            elif self.word in (".func", ".entry"):
                self.function()
            elif self.word in STATES:
                for variable in self.declaration():
                    self.variables[variable.name] = variable
            else:
                self.skip_line()
        return self

    def number(self) -> int:
        minus = self.skip("-")
        word = self.take()
        self.skip("U")
        return -int(word, 0) if minus else int(word, 8 if re.fullmatch(r"0[0-7]+", word) else 0)

    def declaration(self, ends: str = ";") -> list[Variable]:
        state, align, kind, vector = self.take(), 0, "b32", 1
        while self.word.startswith("."):
            word = self.take()[1:]
            if word == "align":
                align = self.number()
            elif word in ("v2", "v4"):
                vector = int(word[1:])
            elif word == "ptr":
                while self.word in (".global", ".shared", ".const", ".local", ".align"):
                    if self.take() == ".align":
                        self.number()
            else:
                kind = word
        found = []
        while True:
            name, count = self.take(), vector
            if self.skip("<"):
                for k in range(self.number()):
                    found.append(Variable(f"{name}{k}", state, kind, 1, 0))
                self.take(">")
            else:
                while self.skip("["):
                    count *= self.number() if self.word != "]" else 0
                    self.take("]")
                variable = Variable(name, state, kind, count, align or max(width_of(kind), 8) // 8 * vector)
                if self.skip("="):
                    variable.values = self.initialiser()
                    variable.count = max(variable.count, len(variable.values)) if count == 0 else variable.count
                found.append(variable)
            if not (ends == ";" and self.skip(",")):
                break
        if ends == ";":
            self.take(";")
        return found

    def initialiser(self) -> list[Any]:
        if self.skip("{"):
            values: list[Any] = []
            while not self.skip("}"):
                values += self.initialiser()
                self.skip(",")
            return values
        if self.word == "generic":
            self.take()
            self.take("(")
            value = self.operand()
            self.take(")")
            return [value]
        return [self.operand()]

    # ---------------------------------------------------------------- a function
    def parameters(self) -> list[Variable]:
        found: list[Variable] = []
        if self.skip("("):
            while not self.skip(")"):
                found += self.declaration(ends=",")
                self.skip(",")
        return found

    def function(self) -> None:
        entry = self.take() == ".entry"
        results = self.parameters()
        name = self.take()
        self.scopes = [{}]
        made = Function(name, entry, results, self.parameters())
        for variable in made.results + made.params:
            if variable.state == ".reg":
                made.registers[variable.name] = variable.kind
            else:
                made.frame.append(variable)
            self.scopes[0][variable.name] = variable.name
        while self.word not in ("{", ";"):
            self.take()
        if self.skip(";"):
            self.functions.setdefault(name, made)
            return
        self.functions[name] = made
        self.take("{")
        self.body(made)

    def body(self, made: Function) -> None:
        self.scopes.append({})
        while not self.skip("}"):
            if self.skip("{"):
                self.body(made)
            elif self.word in (".loc", ".pragma"):
                self.skip_line()
            elif self.word in STATES:
                for variable in self.declaration():
                    self.declare(made, variable)
            elif self.tokens[self.at + 1][0] == ":":
                label = self.take()
                self.take(":")
                if self.word in (".branchtargets", ".calltargets"):
                    self.take()
                    made.tables[label] = [self.take()]
                    while self.skip(","):
                        made.tables[label].append(self.take())
                    self.take(";")
                elif self.word == ".callprototype":
                    while self.take() != ";":
                        pass
                else:
                    made.labels[label] = len(made.code)
            elif not self.skip(";"):
                made.code.append(self.statement())
        self.scopes.pop()

    def declare(self, made: Function, variable: Variable) -> None:
        inner = variable.name
        if inner in self.scopes[0] or len(self.scopes) > 2:
            self.fresh += 1
            inner = f"{inner}@{self.fresh}"
        self.scopes[-1][variable.name] = inner
        variable.name = inner
        if variable.state == ".reg":
            made.registers[inner] = variable.kind
        elif variable.state == ".shared":
            made.shared.append(variable)
        else:
            made.frame.append(variable)

    def resolve(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    # ---------------------------------------------------------------- a statement
    def statement(self) -> Statement:
        line, guard = self.tokens[self.at][1], None
        if self.skip("@"):
            negated = self.skip("!")
            guard = (self.resolve(self.take()), negated)
        opcode, operands = self.take(), []
        while not self.skip(";"):
            operands.append(self.operand())
            self.skip(",")
        return Statement(line, guard, opcode, operands)

    def sequence(self, close: str) -> list[Any]:
        found = []
        while not self.skip(close):
            found.append(self.operand())
            self.skip(",")
        return found

    def operand(self) -> Any:
        if self.skip("{"):
            return ("vec", self.sequence("}"))
        if self.skip("("):
            return ("list", self.sequence(")"))
        if self.skip("["):
            base = self.operand()
            rest = []
            while self.skip(","):
                rest.append(self.operand())
            self.take("]")
            return ("mem", base[1], base[2]) if base[0] == "sum" else ("mem", base, 0)
        if self.skip("!"):
            return ("not", self.operand())
        first = self.atom()
        if self.skip("|"):
            return ("pair", [first, self.atom()])
        if self.word in ("+", "-"):
            if self.word == "+":
                self.take()
            return ("sum", first, self.number())
        return first

    def atom(self) -> Any:
        minus = self.skip("-")
        word = self.take()
        if word[:2] in ("0f", "0F", "0d", "0D") and len(word) > 9:
            return ("bits", int(word[2:], 16), 32 if word[1] in "fF" else 64)
        if re.fullmatch(r"\d+\.\d*(?:[eE][+-]?\d+)?", word):
            return ("real", -float(word) if minus else float(word))
        if word[0].isdigit():
            self.skip("U")
            value = int(word, 8 if re.fullmatch(r"0[0-7]+", word) else 0)
            return ("int", -value if minus else value)
        return ("none",) if word == "_" else ("name", self.resolve(word))
