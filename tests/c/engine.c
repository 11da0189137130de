/* Tests of whole kernels as one program: `engine NAME` is test_NAME.c. What they test takes seven seconds to compile, and
 * is compiled once for all of them. */
#define WARPSIM_IMPLEMENTATION
#include <warpsim/run.h>
#include <warpsim/warpsim.h>

#define main main_of_alone
#define test_all test_all_alone
#include "run/test_alone.c"
#undef main
#undef test_all
#undef HEAD

#define main main_of_check
#include "check/test_check.c"
#undef COPY
#undef LOAD
#undef STORE
#undef main

#define main main_of_proxy
#include "check/test_proxy.c"
#undef main

#define main main_of_sync
#include "run/test_sync.c"
#undef main

#define main main_of_watch
#include "watch/test_watch.c"
#undef main

#define main main_of_room
#include "run/test_room.c"
#undef main

#undef COPY
#undef HEAD
#undef STORE
#undef TAIL
#undef WAIT
#define main main_of_fixes
#include "finding/test_fixes.c"
#undef main

#define main main_of_told
#include "finding/test_told.c"
#undef main

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*main)(void);
    } tests[] = {{"alone", main_of_alone}, {"check", main_of_check}, {"proxy", main_of_proxy}, {"sync", main_of_sync},
                 {"watch", main_of_watch}, {"fixes", main_of_fixes}, {"room", main_of_room},   {"told", main_of_told}};
    size_t i;
    for (i = 0; argc == 2 && i < sizeof tests / sizeof tests[0]; i++)
        if (strcmp(argv[1], tests[i].name) == 0) return tests[i].main();
    fputs("engine NAME, of a test_NAME.c\n", stderr);
    return 2;
}
