# needs: Op, _look (core.pyx), _op_of (parse.pxi), RULES (tables.pxi)
# The door to lint: storage that grows until a file fits, and C findings to Python's.
from cpython.unicode cimport PyUnicode_DecodeLatin1
from libc.string cimport memchr, memcmp, strcmp

cdef extern from "Python.h":
    ctypedef int (*descrsetfunc)(object, object, object) except -1
    int Py_tp_descr_set
    int PyGC_Disable()
    int PyGC_Enable()
    void PyObject_GC_UnTrack(object)
    object PyType_GenericAlloc(type, Py_ssize_t)
    void *PyType_GetSlot(type, int)

cdef enum:
    WIDTH = 100      # how much of a line is shown
    BEFORE = 40      # of that, before the place
    LETTER = 0x80    # the first of 115 bytes that stand for letters
    RECENT = 64      # opcodes that are found again without a look at the others
    SOME = 1 << 20   # characters between two looks at the clock
    PIECES = 1024    # statements and the like between two
    BUCKETS = 4096   # at most: more of them leave the cache

cdef struct Recent:
    ws_span opcode   # a piece of the code, and its number among the different ones
    size_t number


@cython.final
cdef class LintRun:
    """One run over one file: `text`, and the same in ASCII, one byte a character."""

    cdef str text
    cdef bytes ascii
    cdef size_t length
    cdef dict letters  # bytes of the code -> the characters beyond ASCII that they stand for
    cdef ws_lint_storage storage
    cdef ws_lint_sink sink
    cdef void *block

    def __dealloc__(self):
        free(self.block)

    cdef int allocate(self) except -1:
        """Room for what storage and sink say."""
        cdef size_t findings = self.sink.finding_capacity * sizeof(ws_lint_finding)
        cdef size_t instructions = self.sink.instruction_capacity * sizeof(ws_lint_instruction)
        cdef size_t names = self.storage.name_capacity * sizeof(ws_name)
        cdef size_t buckets = self.storage.bucket_count * sizeof(uint32_t)
        free(self.block)
        self.block = malloc(findings + instructions + names + buckets + self.length + self.sink.message_capacity)
        if self.block == NULL:
            raise MemoryError(f"no memory to lint {self.length} characters")
        cdef char *at = <char *> self.block
        self.sink.findings = <ws_lint_finding *> at
        self.sink.instructions = <ws_lint_instruction *> (at + findings)
        self.storage.names = <ws_name *> (at + findings + instructions)
        self.storage.buckets = <uint32_t *> (at + findings + instructions + names)
        self.storage.code = at + findings + instructions + names + buckets
        self.storage.code_capacity = self.length
        self.sink.messages = self.storage.code + self.length
        return 0

    cdef int put_letters(self) except -1:
        """Characters beyond ASCII go into the code, each as a byte that is one of its kind."""
        cdef size_t at
        cdef int letters = 0
        cdef dict bytes_ = {}
        self.letters = {}
        for at in range(self.length):
            if at % PIECES == 0:
                PyErr_CheckSignals()
            if self.storage.code[at] != b"?":
                continue
            character = self.text[at]
            byte = bytes_.get(character)
            if byte is None:
                byte = _byte_of(character)
                if byte == LETTER or byte in self.letters:  # the same digit of another script
                    byte = LETTER + letters % 115 + (2 if letters % 115 >= 64 else 0)
                    letters += 1
                bytes_[character] = byte
                if byte >= LETTER:
                    self.letters[byte] = character
            self.storage.code[at] = <char> <int> byte
        return 0

    cdef int run(self, int target, int ptx) except -1:
        cdef ws_error error
        cdef ws_lint_run run
        cdef int status = WS_INVALID_ARGUMENT
        cdef size_t at, none_before
        cdef bint more
        cdef uint64_t since = 0
        cdef const char *data = self.ascii
        cdef bint is_ascii = self.text.isascii()
        self.storage.name_capacity = self.length // 64 + 16
        self.sink.finding_capacity = self.length // 24 + 16
        self.sink.instruction_capacity = self.length // 32 + 16
        self.sink.message_capacity = self.length * 4 + 1024
        while status != WS_OK:
            self.storage.bucket_count = 16
            while self.storage.bucket_count < min(self.storage.name_capacity, <size_t> BUCKETS):
                self.storage.bucket_count *= 2
            self.allocate()
            at = none_before = 0
            with nogil:
                while at < self.length:
                    at = ws_ptx_blank_some(data, self.length, at, min(self.length, at + SOME), self.storage.code, &none_before)
                    _look(&since)
            if not is_ascii:
                self.put_letters()
            run.target, run.ptx = target, ptx
            status = ws_lint_open(&run, data, self.length, &self.storage, &self.sink, &error)
            more = status == WS_OK
            with nogil:
                while more:
                    more = ws_lint_go_on(&run, PIECES)
                    _look(&since)
            status = ws_lint_close(&run, &self.storage, &error)
            self.storage.name_capacity = max(self.storage.name_capacity, self.storage.names_wanted)
            self.sink.finding_capacity = max(self.sink.finding_capacity, self.sink.finding_count)
            self.sink.instruction_capacity = max(self.sink.instruction_capacity, self.sink.instruction_count)
            self.sink.message_capacity = max(self.sink.message_capacity, self.sink.message_count)
        return 0

    cdef str piece(self, ws_span span):
        return self.text[span.begin:span.end] if span.end else None

    cdef str of_code(self, const char *data, size_t length):
        """Text for bytes of the code."""
        cdef str found = PyUnicode_DecodeLatin1(data, <Py_ssize_t> length, NULL)
        return found.translate(self.letters) if self.letters else found

    cdef list instructions(self, dict counts):
        """[(line, instruction or None), ...]; counts: opcode as written -> how many."""
        cdef list found = [], different = []
        cdef dict numbers = {}
        cdef Recent recent[RECENT]
        cdef Recent *same
        cdef ws_lint_instruction *item
        cdef const char *code
        cdef size_t i, length
        cdef Op op = None
        for i in range(RECENT):
            recent[i].opcode.begin = recent[i].opcode.end = 0
        for i in range(self.sink.instruction_count):
            item = &self.sink.instructions[i]
            if i % PIECES == 0:
                PyErr_CheckSignals()
            if item.op.kind and (op is None or not ws_op_equal(&op.c, &item.op)):
                op = _op_of(&item.op)
            pair = (item.line, op if item.op.kind else None)
            PyObject_GC_UnTrack(pair)  # there is no cycle for the collector to find
            found.append(pair)
            code = self.storage.code + item.opcode.begin
            length = item.opcode.end - item.opcode.begin
            same = &recent[(length * 7 + <uint8_t> code[length - 1] + <uint8_t> code[length // 2] * 5) % RECENT]
            if same.opcode.end - same.opcode.begin != length or \
                    memcmp(self.storage.code + same.opcode.begin, code, length) != 0:
                same.opcode = item.opcode
                same.number = numbers.setdefault(code[:length], len(numbers))
                if same.number == <size_t> len(different):
                    different.append(0)
            different[same.number] += 1
        for opcode, number in numbers.items():
            token = "".join(self.of_code(opcode, len(opcode)).split())
            counts[token] = counts.get(token, 0) + different[number]
        return found

    cdef list findings(self, cls):
        """`cls` of every finding, in the order of their places."""
        cdef list found = []
        cdef const ws_lint_finding *item
        cdef const char *before = NULL
        cdef const char *sentence
        cdef size_t i, begin
        cdef str message = None
        # A frozen dataclass, filled at a tenth of what its __init__ takes: by its slots.
        line, column, rule, severity, said, shown, caret, length = map(vars(cls).get, cls.__slots__)
        cdef descrsetfunc put = <descrsetfunc> PyType_GetSlot(type(line), Py_tp_descr_set)
        cdef tuple rules = RULES
        for i in range(self.sink.finding_count):
            item = &self.sink.findings[i]
            if i % PIECES == 0:
                PyErr_CheckSignals()
            sentence = self.sink.messages + item.message
            if before == NULL or strcmp(sentence, before) != 0:
                message, before = self.of_code(sentence, strlen(sentence)), sentence
            begin = self.shown_from(item)
            source = self.shown(begin)
            made = PyType_GenericAlloc(cls, 0)
            put(line, made, item.line)
            put(column, made, item.column)
            put(rule, made, (<tuple> rules[item.rule])[0])
            put(severity, made, (<tuple> rules[item.rule])[1])
            put(said, made, message)
            put(shown, made, source)
            put(caret, made, min(item.at - begin, <size_t> len(source)))
            put(length, made, item.length)
            PyObject_GC_UnTrack(made)  # of texts and numbers alone
            found.append(made)
        return found

    cdef size_t line_end(self, size_t begin):
        """The end of the line, or of the piece of it that is shown from `begin` on."""
        cdef const char *data = self.ascii
        cdef size_t last = min(begin + WIDTH, self.length)
        cdef const void *found = memchr(data + begin, b"\n", last - begin)
        return <const char *> found - data if found != NULL else last

    cdef size_t shown_from(self, const ws_lint_finding *finding):
        """Where the piece of the line around a finding begins."""
        cdef size_t start = finding.at - (finding.column - 1)
        cdef size_t begin = max(start, finding.at - BEFORE if finding.at > BEFORE else 0)
        cdef size_t end = self.line_end(begin)
        if begin > start and end < begin + WIDTH and end < self.length:
            begin = max(start, end - WIDTH if end > WIDTH else 0)
        return begin

    cdef str shown(self, size_t begin):
        cdef size_t end = self.line_end(begin)
        cdef const char *data = self.ascii
        while end > begin and data[end - 1] == b"\r":
            end -= 1
        piece = self.text[begin:end]
        return piece if memchr(data + begin, b"\t", end - begin) == NULL else piece.replace("\t", " ")


cdef int _byte_of(str character):
    """The byte of ptx_text.h that stands for a character; LETTER for all letters."""
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
    return LETTER if character.isalnum() else 0x3F


def lint(str text not None, int target, int ptx, cls):
    """(instructions, counts, findings, target, version): `cls` of each finding; the last two are the text's own."""
    cdef LintRun found = LintRun.__new__(LintRun)
    cdef dict counts = {}
    cdef bint collects
    found.text = text
    found.ascii = text.encode("ascii", "replace")
    found.length = len(found.ascii)
    found.run(target, ptx)
    collects = PyGC_Disable()  # of many objects at once, none of which is in a cycle
    try:
        return (found.instructions(counts), counts, found.findings(cls), found.piece(found.sink.target),
                found.piece(found.sink.version))
    finally:
        if collects:
            PyGC_Enable()
