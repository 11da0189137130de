# needs: nothing
"""Wider integers as narrower ones: an OverflowError that names what does not fit, never other bits."""


cdef inline object _too_wide(str name, object value, int bits):
    return OverflowError(f"{name}: {value} does not fit into {bits} bits")


cdef inline int8_t _int8(str name, long long value) except? -1:
    if not -128 <= value <= 127:
        raise _too_wide(name, value, 8)
    return <int8_t> value


cdef inline int _int(str name, long long value) except? -1:
    if not -0x80000000 <= value <= 0x7FFFFFFF:
        raise _too_wide(name, value, 32)
    return <int> value


cdef inline uint32_t _uint32(str name, uint64_t value) except? 0xFFFFFFFF:
    if value > 0xFFFFFFFF:
        raise _too_wide(name, value, 32)
    return <uint32_t> value
