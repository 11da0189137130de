/* The rules that a launch of a kernel can break: those that end it, in the order of ws_stop_kind (run/kernel.h), then those
 * that a check finds, in the order of ws_found_rule (check/found.h).
 *
 * Sources: the PTX ISA and the CUDA C++ guide; for hardware, planted bugs on one H200. */
#ifndef WARPSIM_RULES_KERNELS_H
#define WARPSIM_RULES_KERNELS_H

#include "rule.h"

static inline const ws_rule *ws_kernel_rule_at(int index) {
    /* clang-format off */
#define WS_RUN(id, fault, title, ptx, hardware, fix) WS_FINDS(id, ERROR, fault, title, ptx, hardware, fix)
#define WS_FINDS(id, severity, fault, title, ptx, hardware, fix) \
    {"WS-RUN-" id, WS_##severity, 0, WS_FAULT_##fault, title, ptx, hardware, fix}
#define WS_SAYS_RACE \
    "Two accesses of different threads to one byte, one of them a write, must be ordered by a barrier or the like, or both be atomic."
    static const ws_rule rules[WS_RULE_COUNT - WS_RULES_KERNEL] = {
        WS_RUN("001", OUT_OF_BOUNDS, "access out of bounds",
               "Every access must lie inside memory that the kernel was given: an array, a variable, shared memory, a frame.",
               "no error within an allocation or its page: it reads or writes what lies there; farther off CUDA_ERROR_ILLEGAL_ADDRESS",
               "Check the index against the size of the array before the access."),
        WS_RUN("002", OUT_OF_BOUNDS, "write to read-only memory",
               "The .const space and the parameters of a kernel are read-only.", "not measured",
               "Write to an array of the global space instead."),
        WS_RUN("003", MISALIGNED, "misaligned access",
               "An address must be a multiple of the bytes of the access: those of one element times the vector length.",
               "CUDA_ERROR_MISALIGNED_ADDRESS",
               "Align the address to the bytes of the access, or use a narrower one."),
        WS_RUN("004", INACTIVE, "a lane outside its own member mask",
               "The behaviour is undefined if the executing thread is not in the member mask.",
               "CUDA_ERROR_ILLEGAL_INSTRUCTION",
               "Name every lane that executes the instruction in its mask."),
        WS_RUN("005", DIVERGENT_ADDRESS, "lanes with different member masks",
               "All threads of the member mask must execute the instruction with the same mask.",
               "the kernel hangs",
               "Give all lanes of the instruction the same mask."),
        WS_RUN("006", DEADLOCK, "deadlock: no thread of the block can go on",
               "A barrier lets threads go on when all that it expects have arrived.", "the kernel hangs",
               "Let every thread that the barrier expects reach it."),
        WS_RUN("007", STEPS, "more steps than the limit", "PTX has no such limit: it is the max_steps of the launch.",
               "a kernel that does not end hangs",
               "Raise max_steps if the kernel only takes long; else look for a loop that does not end."),
        WS_RUN("008", OUT_OF_BOUNDS, "stack overflow", "Calls need local memory, which is bounded.", "not measured",
               "Bound the recursion, or raise stack_bytes."),
        WS_RUN("009", TRAP, "the kernel executed trap", "trap aborts the kernel.", "not measured", "Find out why the kernel executes trap."),
        WS_RUN("010", ASSERT, "assertion failed", "__assertfail aborts the kernel.", "not measured",
               "Make the asserted condition hold."),
        WS_RUN("011", OTHER, "free of a pointer that malloc did not give",
               "free takes a pointer that malloc returned and that was not freed since.", "not measured",
               "Free each pointer that malloc returned once."),
        WS_RUN("012", OTHER, "jump or call to an address outside the table or the functions",
               "The index of brx.idx must be less than the length of its table; an indirect call needs the address of a function.",
               "not measured", "Keep the index inside the table, and call only addresses of functions."),
        WS_RUN("013", OTHER, "wrong barrier",
               "A barrier has a number from 0 to 15, and a count that is a positive multiple of the warp size.",
               "CUDA_ERROR_ILLEGAL_INSTRUCTION for a wrong count",
               "Use barriers 0 to 15, and counts that are multiples of 32."),
        WS_RUN("014", INACTIVE, "part of a warp executes an instruction of the whole warp",
               "With .aligned, all threads of the warp must execute the same instruction.",
               "no error is reported, or the warp hangs: see WS-LDM-004 and WS-STM-004",
               "Let all lanes of the warp arrive together: put __syncwarp() before it, and no branch around it."),
        WS_RUN("015", OTHER, "undefined matrix instruction",
               "The rule of the instruction, which the finding names.", "see the rule of the instruction",
               "See the rule of the instruction: warpsim rules ID."),
        WS_RUN("016", OTHER, "mbarrier object that is not initialised",
               "Every mbarrier instruction but init needs an object that mbarrier.init made and mbarrier.inval did not end.",
               "CUDA_ERROR_LAUNCH_FAILED, or threads that wait for ever",
               "Let one thread execute mbarrier.init, then synchronise, before any thread uses the object."),
        WS_FINDS("017", ERROR, RACE, "race in shared memory", WS_SAYS_RACE,
                 "either value, as the warps happen to run",
                 "Put __syncthreads() (bar.sync) between the two accesses, or whatever else orders their threads."),
        WS_FINDS("018", WARNING, RACE, "race between lanes of a warp", WS_SAYS_RACE,
                 "either value once the lanes run apart, as they may from sm_70",
                 "Put __syncwarp() (bar.warp.sync) between the two accesses."),
        WS_FINDS("019", ERROR, RACE, "race in global memory", WS_SAYS_RACE,
                 "either value, as the thread blocks happen to run",
                 "Use atomics, or let each thread write bytes of its own; a barrier orders the threads of one block alone."),
        WS_FINDS("020", ERROR, RACE, "access to what an asynchronous copy is still writing",
                 "The bytes of cp.async are there after its thread has waited for its group, and for other threads after a barrier that follows.",
                 "the old bytes, the new ones, or some of each",
                 "Put cp.async.wait_group with a smaller count, or cp.async.wait_all, before the access, and then a barrier."),
        WS_FINDS("021", ERROR, UNWRITTEN, "use of what nobody has written",
                 "Memory of a thread block, a thread, and what cudaMalloc gives hold nothing in particular at first.",
                 "whatever was there before", "Write the bytes before they are read, or do not read them."),
        WS_FINDS("022", WARNING, RACE, "lanes of one store write different values to one place",
                 "Which of the values stays is not defined.", "the lowest lane's stays",
                 "Let one lane store, or use an atomic."),
        WS_FINDS("023", NOTE, RACE, "several threads write the same value to one place", WS_SAYS_RACE, "that value",
                 "Let one thread store, if that is easy; the result is the same."),
        WS_FINDS("024", ERROR, DIVERGENT, "barrier that not all threads reach together",
                 "All threads of a warp must execute the same bar.sync; a barrier without a count waits for all threads of the block.",
                 "threads that have exited count as arrived; lanes that are elsewhere arrive with their warp, early",
                 "Move the barrier out of the branch; instead of returning early, let threads skip the work."),
        WS_FINDS("025", ERROR, EXITED, "member mask that names a lane that has exited",
                 "All lanes that the mask names must execute the instruction with it.", "lanes that have exited are not waited for",
                 "Compute the mask before lanes leave (__ballot_sync), or let none leave early."),
        WS_FINDS("026", ERROR, OTHER, "integer division by zero", "The result of a division by zero is not defined.",
                 "all bits set, of the remainder, too", "Check the divisor first."),
        WS_FINDS("027", NOTE, UNWRITTEN, "read of what nobody has written, not used",
                 "Memory of a thread block, a thread, and what cudaMalloc gives hold nothing in particular at first.",
                 "whatever was there before", "Nothing, unless the value was meant to be used."),
        WS_FINDS("028", NOTE, OTHER, "bank conflicts in shared memory",
                 "PTX says nothing about banks: the access is right, but takes longer.",
                 "one wavefront for each word of the fullest bank", "Pad or swizzle the rows of the array, or change the index."),
        WS_FINDS("029", NOTE, OTHER, "memory of the kernel's heap that is never freed",
                 "The heap of malloc lives as long as the CUDA context: what a kernel does not free is still taken in the next.",
                 "the heap fills up, launch by launch, until malloc returns a null pointer",
                 "Call free() with the pointer before its thread exits, or in a later kernel that is given it."),
        WS_FINDS("030", WARNING, RACE, "volatile accesses of two warps in no order",
                 "Volatile accesses may meet, as relaxed ones of the whole system may; they order nothing else.",
                 "either value, as the warps happen to run",
                 "Put __syncthreads() (bar.sync) between the two accesses; for a flag that a thread waits for, use atomics (ld.acquire, st.release)."),
        WS_FINDS("031", ERROR, OTHER, "mbarrier object accessed by another instruction",
                 "From mbarrier.init to mbarrier.inval, only mbarrier instructions other than init may access the object.",
                 "a load sees the counts of the phase; a store breaks them, and threads may wait for ever",
                 "Keep the access inside its own array; to use the memory again, execute mbarrier.inval and synchronise first."),
    };
#undef WS_SAYS_RACE
#undef WS_FINDS
#undef WS_RUN
    /* clang-format on */
    return &rules[index];
}

#endif
