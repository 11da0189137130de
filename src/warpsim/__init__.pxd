# The C core for other Cython projects: `from warpsim cimport ws_op, ws_parse`. Nothing here needs warpsim at run time.
# These names stay; the rest of _core/core.pxd is our own.
from ._core.core cimport (
    WS_INVALID_ARGUMENT, WS_LANES, WS_OK, WS_POLICY_HARDWARE, WS_POLICY_RAISE, WS_POLICY_RECORD, WS_SIMD_AUTO, WS_SYNTAX,
    WS_TRAP, WS_UNDEFINED, WS_UNKNOWN_HARDWARE, WS_UNSUPPORTED,
    ws_access, ws_access_make, ws_access_make_64, ws_count, ws_counts, ws_counts_add, ws_error, ws_execute, ws_finding,
    ws_findings, ws_layout, ws_layout_make, ws_layout_nbytes, ws_layout_offset, ws_layout_pitch_bytes, ws_legality,
    ws_legality_of, ws_memory, ws_memory_make, ws_memory_with_global, ws_op, ws_op_num_registers, ws_op_register_bits,
    ws_op_write, ws_parse, ws_parse_text, ws_ptx_find, ws_status, ws_swizzle, ws_swizzle_make, ws_target_find, ws_text,
    ws_text_make, ws_tile_count, ws_tile_cover, ws_tile_steps, ws_tiling, ws_version,
)
