# needs: nothing
# Levels of vector instructions.
cdef int _simd = WS_SIMD_AUTO


def simd_levels():
    """The levels of vector instructions that this CPU has."""
    return tuple(ws_simd_word(i).decode() for i in range(WS_SIMD_PORTABLE, ws_simd_best() + 1))


def get_simd():
    """The level at work."""
    return ws_simd_word(ws_simd_level(_simd)).decode()


def set_simd(str level not None):
    """Works at a level from now on; "auto" is the best that there is. Every level gives the same answers.

    For tests: to be called while no other thread works.
    """
    global _simd
    words = ("auto", *simd_levels())
    if level not in words:
        raise ValueError(f"WARPSIM_SIMD: expected one of {', '.join(words)} on this CPU, got {level!r}")
    _simd = next(i for i in range(WS_SIMD_COUNT) if ws_simd_word(i).decode() == level)
