"""Kernels of clusters as PTX: a frame of declarations, and bodies."""

FRAME = """
.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 out){directives}
{{
    .reg .pred %p<9>; .reg .b32 %r<60>; .reg .b64 %rd<30>;
    .shared .align 16 .b8 tile[1024];
    .shared .align 8 .b64 bar[8];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;
    mad.lo.u32 %r5, %r3, %r4, %r1;          // the thread in the grid
    mad.wide.u32 %rd2, %r5, 4, %rd1;        // &out[thread]
    mov.u32 %r6, tile; mov.u32 %r7, bar;
    mad.lo.u32 %r8, %r1, 4, %r6;            // &tile[tid]
{body}
    ret;
}}
"""

SYNC = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"


def kernel(body: str, directives: str = "") -> str:
    """The text of a module: `out` has a word for each thread of the grid."""
    return FRAME.format(body=body, directives=directives)


def line_of(text: str, mark: str) -> int:
    """The line that has a mark."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if mark in line)
