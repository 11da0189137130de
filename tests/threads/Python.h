/* What pool.h takes of Python, on POSIX threads and semaphores, as CPython has it on Linux: for pool.c alone. */
#ifndef TESTS_THREADS_PYTHON_H
#define TESTS_THREADS_PYTHON_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { NOWAIT_LOCK, WAIT_LOCK };
typedef void *PyThread_type_lock;

typedef struct python_start {
    void (*function)(void *);
    void *argument;
} python_start;

static inline PyThread_type_lock PyThread_allocate_lock(void) {
    sem_t *lock = (sem_t *)malloc(sizeof *lock);
    if (lock != NULL) sem_init(lock, 0, 1);
    return lock;
}

static inline void PyThread_free_lock(PyThread_type_lock lock) {
    sem_destroy((sem_t *)lock);
    free(lock);
}

static inline int PyThread_acquire_lock(PyThread_type_lock lock, int wait) {
    int status;
    do {
        status = wait ? sem_wait((sem_t *)lock) : sem_trywait((sem_t *)lock);
    } while (status != 0 && errno == EINTR);
    return status == 0;
}

static inline void PyThread_release_lock(PyThread_type_lock lock) { sem_post((sem_t *)lock); }

static inline void *python_begin(void *argument) {
    const python_start start = *(python_start *)argument;
    free(argument);
    start.function(start.argument);
    return NULL;
}

static inline unsigned long PyThread_start_new_thread(void (*function)(void *), void *argument) {
    python_start *start = (python_start *)malloc(sizeof *start);
    pthread_t thread;
    if (start == NULL) return (unsigned long)-1;
    start->function = function;
    start->argument = argument;
    if (pthread_create(&thread, NULL, python_begin, start) != 0) {
        free(start);
        return (unsigned long)-1;
    }
    pthread_detach(thread);
    return (unsigned long)thread;
}

#endif
