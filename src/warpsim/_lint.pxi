# The door to lint: storage that grows until a file fits, and C findings to Python's.
from libc.string cimport strlen

LINT_RULES = tuple(
    (ws_lint_rule_at(i).id.decode(), ws_lint_rule_at(i).severity.decode(), ws_lint_rule_at(i).title.decode())
    for i in range(WS_LINT_RULE_COUNT)
)

cdef enum:
    WIDTH = 100   # how much of a line is shown
    BEFORE = 40   # of that, before the place


@cython.final
cdef class LintCore:
    """One run over one file: `text`, and the same in ASCII, one byte a character."""

    cdef str text
    cdef bytes ascii
    cdef dict letters  # bytes of the code -> the characters beyond ASCII that they stand for
    cdef ws_lint_storage storage
    cdef ws_lint_sink sink
    cdef void *block

    def __cinit__(self, str text not None):
        self.text = text
        self.ascii = text.encode("ascii", "replace")
        self.letters = {}

    def __dealloc__(self):
        free(self.block)

    cdef int allocate(self) except -1:
        """Room for what storage and sink say."""
        cdef size_t length = len(self.ascii)
        cdef size_t findings = self.sink.finding_capacity * sizeof(ws_lint_finding)
        cdef size_t instructions = self.sink.instruction_capacity * sizeof(ws_lint_instruction)
        cdef size_t names = self.storage.name_capacity * sizeof(ws_name)
        cdef size_t buckets = self.storage.bucket_count * sizeof(uint32_t)
        free(self.block)
        self.block = malloc(findings + instructions + names + buckets + length + self.sink.message_capacity)
        if self.block == NULL:
            raise MemoryError(f"no memory to lint {length} characters")
        cdef char *at = <char *> self.block
        self.sink.findings = <ws_lint_finding *> at
        self.sink.instructions = <ws_lint_instruction *> (at + findings)
        self.storage.names = <ws_name *> (at + findings + instructions)
        self.storage.buckets = <uint32_t *> (at + findings + instructions + names)
        self.storage.code = at + findings + instructions + names + buckets
        self.storage.code_capacity = length
        self.sink.messages = self.storage.code + length
        return 0

    cdef int blank(self) except -1:
        """Comments and strings out; then characters beyond ASCII in, each as a byte that is one of its kind."""
        cdef const char *data = self.ascii
        cdef Py_ssize_t at
        ws_ptx_blank(data, len(self.ascii), self.storage.code)
        if self.text.isascii():
            return 0
        self.letters.clear()
        bytes_ = {}
        for at in range(len(self.ascii)):
            if self.storage.code[at] == b"?":
                character = self.text[at]
                if character not in bytes_:
                    byte = bytes_[character] = _byte_of(character, len(bytes_))
                    if byte >= 0x80:
                        self.letters[byte] = character
                self.storage.code[at] = <char> <int> bytes_[character]
        return 0

    def run(self, int target, int ptx):
        """(version, target) of the text, None where it has none."""
        cdef ws_error error
        cdef int status = WS_INVALID_ARGUMENT
        cdef size_t length = len(self.ascii)
        cdef const char *data = self.ascii
        self.storage.name_capacity = length // 64 + 32
        self.sink.finding_capacity = length // 128 + 16
        self.sink.instruction_capacity = length // 48 + 16
        self.sink.message_capacity = length // 2 + 2048
        while status != WS_OK:
            self.storage.bucket_count = 64
            while self.storage.bucket_count < self.storage.name_capacity:
                self.storage.bucket_count *= 2
            self.allocate()
            self.blank()
            with nogil:
                status = ws_lint_code(data, length, target, ptx, &self.storage, &self.sink, &error)
            self.storage.name_capacity = max(self.storage.name_capacity, self.storage.names_wanted)
            self.sink.finding_capacity = max(self.sink.finding_capacity, self.sink.finding_count)
            self.sink.instruction_capacity = max(self.sink.instruction_capacity, self.sink.instruction_count)
            self.sink.message_capacity = max(self.sink.message_capacity, self.sink.message_count)
        return self.piece(self.sink.version), self.piece(self.sink.target)

    cdef str piece(self, ws_span span):
        return self.text[span.begin:span.end] if span.end else None

    cdef str of_code(self, const char *data, size_t length):
        """Text for bytes of the code."""
        found = data[:length].decode("latin-1")
        return found if not self.letters or found.isascii() else found.translate(self.letters)

    def instructions(self):
        """([(line, instruction or None), ...], {opcode as written: how many})."""
        cdef list found = []
        cdef dict raw = {}, counts = {}
        cdef ws_lint_instruction *item
        cdef size_t i
        cdef list count
        for i in range(self.sink.instruction_count):
            item = &self.sink.instructions[i]
            found.append((item.line, _op_of(&item.op) if item.op.kind else None))
            opcode = self.storage.code[item.opcode.begin:item.opcode.end]
            count = raw.get(opcode)
            if count is None:
                raw[opcode] = [1]
            else:
                count[0] += 1
        for opcode, number in raw.items():
            token = "".join(self.of_code(opcode, len(opcode)).split())
            counts[token] = counts.get(token, 0) + number[0]
        return found, counts

    def findings(self, cls):
        """`cls` of every finding, in the order of their places."""
        cdef list found = []
        cdef ws_lint_finding *item
        cdef const ws_lint_rule *rule
        cdef size_t i, begin
        for i in range(self.sink.finding_count):
            item = &self.sink.findings[i]
            _, severity, _ = LINT_RULES[item.rule]
            message = self.sink.messages + item.message
            begin = self.shown_from(item)
            found.append(cls(item.line, item.column, LINT_RULES[item.rule][0], severity,
                             self.of_code(message, strlen(message)), self.shown(begin), item.at - begin, item.length))
        return found

    cdef size_t line_end(self, size_t begin):
        """The end of the line, or of the piece of it that is shown from `begin` on."""
        cdef const char *data = self.ascii
        cdef size_t last = min(begin + WIDTH, <size_t> len(self.ascii))
        while begin < last and data[begin] != b"\n":
            begin += 1
        return begin

    cdef size_t shown_from(self, const ws_lint_finding *finding):
        """Where the piece of the line around a finding begins."""
        cdef size_t start = finding.at - (finding.column - 1)
        cdef size_t begin = max(start, finding.at - BEFORE if finding.at > BEFORE else 0)
        cdef size_t end = self.line_end(begin)
        if begin > start and end < begin + WIDTH and end < <size_t> len(self.ascii):
            begin = max(start, end - WIDTH if end > WIDTH else 0)
        return begin

    cdef str shown(self, size_t begin):
        piece = self.text[begin:self.line_end(begin)]
        return piece.rstrip("\r").replace("\t", " ")


cdef int _byte_of(str character, int number):
    """The byte of ptx_text.h that stands for a character; letters are told apart as far as there are bytes."""
    if character.isspace():
        return 0x1F
    if character == "\ufeff":
        return 0
    if character in "\u0130\u0131":
        return 0xC0
    if character == "\u212a":
        return 0xC1
    if character == "\u017f":
        return 0xFF
    if character.isdecimal():
        return 0xF5 + int(character)
    return 0x80 + number % 64 if character.isalnum() else 0x3F
