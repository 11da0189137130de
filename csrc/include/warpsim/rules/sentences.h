/* Sentences that several rules share: what PTX says, in our words; what an H200 (sm_90) was measured to do; what to do. */
#ifndef WARPSIM_RULES_SENTENCES_H
#define WARPSIM_RULES_SENTENCES_H

/* clang-format off */
#define WS_SAYS_ALIGNED "Every row address must be a multiple of the row's size in bytes."
#define WS_SAYS_BOUNDS "The access must lie inside the memory of the address space."
#define WS_SAYS_SHARED "A generic address must point into shared memory."
#define WS_SAYS_ACTIVE \
    "With .aligned, all threads of the warp must execute the same instruction: in conditional code, all threads " \
    "must evaluate the condition alike."
#define WS_SAYS_EXITED "The behaviour is undefined if any thread of the warp has exited."
#define WS_SAYS_SAME "The behaviour is undefined if the threads do not all use the same qualifiers."
#define WS_SAYS_PLAIN \
    "The address must be a multiple of the access size: the bytes of one element times the vector length."
#define WS_SAYS_COPY "Both addresses of cp.async must be multiples of the copy size."
#define WS_SAYS_P "p must be a multiple of the bytes of a lane's fragment."
#define WS_SAYS_STRIDE \
    "Every row must start at a multiple of the bytes of a lane's fragment, so the stride must be a multiple, too."
#define WS_SAYS_DEFAULT "A stride below the default, the length of a row, is undefined."
#define WS_SAYS_ALIKE "The behaviour is undefined if the threads do not all use the same values of p and stride."
#define WS_SAYS_SPACES "Only global and shared memory may be used, and generic addresses that point there."

#define WS_DOES_TRAP "CUDA_ERROR_MISALIGNED_ADDRESS"
#define WS_DOES_BOUNDS \
    "CUDA_ERROR_ILLEGAL_ADDRESS beyond absolute address 1024 + the dynamic size rounded up to 128 bytes, " \
    "CUDA_ERROR_ILLEGAL_INSTRUCTION at 2^24 and above; the bytes in between can be used"
#define WS_DOES_NOTHING "nothing happens: no register changes, and no error is reported"
#define WS_DOES_LOWERED \
    "CUDA_ERROR_MISALIGNED_ADDRESS exactly if one of the accesses that the assembler makes of it is not aligned to " \
    "its own width"
#define WS_DOES_OWN "every lane forms its own addresses from its own p and stride"
#define WS_DOES_NOT_KNOW "not measured"

#define WS_FIX_ALIGN \
    "Make base, pitch and column offset multiples of the row's size in bytes; pad rows by whole 16-byte pieces."
#define WS_FIX_BOUNDS "Check the tile's offset, the pitch and the lane formula against the size of the allocation."
#define WS_FIX_SHARED "Pass a shared address and write .shared, or pass the generic address of shared memory."
#define WS_FIX_ACTIVE "Move the instruction out of the divergent branch, or make the whole warp take it."
#define WS_FIX_EXITED "Keep all 32 threads until after the instruction."
#define WS_FIX_SAME "Let the whole warp execute one instruction."
#define WS_FIX_PLAIN "Align the address to the whole access, not to its element."
#define WS_FIX_POINTER "Check the pointer: it is neither in the shared window nor in global memory."
#define WS_FIX_STRIDE "Pad rows by whole 16-byte pieces."
/* clang-format on */

#endif
