/* Runs a test program, compiled with -Dmain=on_small_stack, in a thread of 128 KiB, musl's default. */
#include <pthread.h>
#include <stdint.h>

enum { STACK_BYTES = 128 * 1024 };

#ifdef __cplusplus
extern "C"
#endif
    int
    on_small_stack(void);

static int status = 1;

static void *body(void *unused) {
    status = on_small_stack();
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, STACK_BYTES) != 0) return 2;
    if (pthread_create(&thread, &attributes, body, NULL) != 0 || pthread_join(thread, NULL) != 0) return 3;
    return status;
}
