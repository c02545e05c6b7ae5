// fopencookie is a GNU extension.
#define _GNU_SOURCE
#include "CLiteRt.h"

#include <string.h>

#if defined(__GLIBC__)

#include <pthread.h>
#include <stdio.h>

// Redirecting file descriptor 2 would swallow what every other thread writes meanwhile. `stderr` is a
// variable in glibc, which its manual lets a program set, and the stream put there looks at who is writing:
// nobody else loses a byte, and neither do writers that use the descriptor.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int captures;
static FILE *replacement;  // never closed: a thread may have read `stderr` just before it was put back
static FILE *previous;

static _Thread_local struct {
    bool active;
    size_t length;
    char text[1024];
} captured;

static ssize_t take(void *cookie, const char *bytes, size_t count) {
    (void)cookie;
    if (!captured.active) {
        return (ssize_t)fwrite(bytes, 1, count, __atomic_load_n(&previous, __ATOMIC_ACQUIRE));
    }
    size_t room = sizeof captured.text - captured.length;
    size_t kept = count < room ? count : room;
    memcpy(captured.text + captured.length, bytes, kept);
    captured.length += kept;
    return (ssize_t)count;
}

void litert_capture_begin(void) {
    pthread_mutex_lock(&lock);
    if (replacement == NULL) {
        replacement = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
        if (replacement != NULL) setvbuf(replacement, NULL, _IONBF, 0);
    }
    if (captures++ == 0 && replacement != NULL) {
        __atomic_store_n(&previous, stderr, __ATOMIC_RELEASE);
        __atomic_store_n(&stderr, replacement, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    captured.length = 0;
    captured.active = true;
}

void litert_capture_end(char *text, size_t capacity) {
    captured.active = false;
    pthread_mutex_lock(&lock);
    // Where somebody else has set it meanwhile, theirs stays.
    if (--captures == 0 && stderr == replacement && replacement != NULL) {
        __atomic_store_n(&stderr, previous, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    size_t length = captured.length < capacity ? captured.length : capacity - 1;
    memcpy(text, captured.text, length);
    text[length] = 0;
}

#else

// Setting `stderr` is a promise of glibc alone.
void litert_capture_begin(void) {}

void litert_capture_end(char *text, size_t capacity) {
    if (capacity > 0) text[0] = 0;
}

#endif
