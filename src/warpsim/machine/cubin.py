"""How many registers a kernel takes, as the assembler wrote it into its ELF file."""

from __future__ import annotations

import struct

SYMBOLS = 2  # SHT_SYMTAB
REGISTERS = 0x2F  # EIATTR_REGCOUNT of the section .nv.info: the number of a symbol, and its registers
SIZED = 4  # the form of an attribute that is followed by its bytes


def _name(strings: bytes, at: int) -> str:
    return strings[at : strings.index(b"\0", at)].decode("utf-8", "replace")


def _attributes(info: bytes) -> dict[int, int]:
    """Registers by the number of the symbol."""
    found, at = {}, 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == SIZED:
            if attribute == REGISTERS and size == 8 and at + 8 <= len(info):
                symbol, registers = struct.unpack_from("<II", info, at)
                found[symbol] = registers
            at += size
    return found


def registers(cubin: bytes, kernel: str) -> int | None:
    """Of a thread of the kernel; None where the file does not say."""
    try:
        begin, entry, count, of_names = *struct.unpack_from("<Q", cubin, 40), *struct.unpack_from("<HHH", cubin, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", cubin, begin + entry * i) for i in range(count)]
        bytes_of = [cubin[head[4] : head[4] + head[5]] for head in headers]
        names = [_name(bytes_of[of_names], head[0]) for head in headers]
        found = _attributes(bytes_of[names.index(".nv.info")])
        number = next(i for i, head in enumerate(headers) if head[1] == SYMBOLS)
        strings = bytes_of[headers[number][6]]
        for symbol, taken in found.items():
            at = struct.unpack_from("<I", bytes_of[number], symbol * headers[number][9])[0]
            if _name(strings, at) == kernel:
                return taken
    except (struct.error, ValueError, IndexError, StopIteration):
        pass
    return None
