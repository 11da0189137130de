"""What a kernel's statements say, each opcode once."""

cdef enum:
    OPERANDS = 8  # so many numbers of operands are told apart: more, and none, are one


def opcodes(Program program not None):
    """(opcode, its first statement, operands of that) of each opcode that a kernel reaches, in the text's order.

    One that has several numbers of operands is told with each of them.
    """
    cdef const ws_module *module = &program.module.c
    cdef const ws_opcode *opcode
    cdef uint32_t i, number, statement, operands
    cdef size_t kind
    cdef list found = []
    cdef _Bytes seen = _Bytes(<size_t> module.opcode_count * OPERANDS)
    for i in range(program.c.num_steps):
        statement = program.c.steps[i].statement
        number = module.statements[statement].opcode
        operands = module.statements[statement].item_count
        kind = <size_t> number * OPERANDS + (operands if operands < OPERANDS else 0)
        if not (<uint8_t *> seen.bytes)[kind]:
            (<uint8_t *> seen.bytes)[kind] = 1
            opcode = &module.opcodes[number]
            found.append((opcode.text[:opcode.length].decode("utf-8", "replace"), statement, operands))
    return found


def needs_order(Program program not None):
    """Does what a block does depend on how far others have come?"""
    return ws_kernel_needs_order(&program.c)
