// What a worker process may do, and how one is started. Swift imports neither seccomp's macros nor the
// variadic calls that this needs.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Which protections hold in this process. One that the platform has no means for is false.
typedef struct {
    bool no_new_privileges;
    bool no_core_dumps;
    bool not_traceable;
    bool no_internet;
} sandbox_protection;

// Core dumps would write keys and mail to the disk. True where there are none from here on.
bool sandbox_refuse_core_dumps(void);

// Takes from the calling process, with all its threads, what a worker never needs: privileges through set-user-id
// programs, core dumps, being traced, and tracing others. To be called before anything else is loaded.
void sandbox_harden(sandbox_protection *protection);

// From here on no thread opens a socket of any family but AF_UNIX, whoever it belongs to; io_uring, which would
// open one unseen, is off too. Needs sandbox_harden before it.
void sandbox_refuse_internet(sandbox_protection *protection);

// Bounds what the process may allocate, as a last resort: an allocation beyond it fails. 0 on success, else errno.
int sandbox_limit_memory(uint64_t bytes);

// Moves the protocol's two ends away from standard input and output, so that whatever else is printed goes to
// standard error, and whatever else is read finds nothing. 0 on success, else errno.
int sandbox_take_standard_streams(int *input, int *output);

// A connected pair of stream sockets, and a pipe: close-on-exec, and never in the place of a standard stream.
// 0 on success, else errno.
int process_channel(int ends[2]);
int process_pipe(int ends[2]);

// Sends without waiting, and without a signal where nobody reads. Bytes taken, or the negative errno.
ssize_t process_send(int descriptor, const void *bytes, size_t count);

// Starts a program in a process group of its own: `channel` is its standard input and output, `errors` its
// standard error, and no other descriptor is open in it. 0 on success, else errno.
int process_start(
    const char *path, char *const arguments[], char *const environment[], int channel, int errors, pid_t *process
);

// Bytes of memory that a process has resident; -1 where nobody says.
int64_t process_resident_memory(pid_t process);

// Waits until the process has ended, kills what is left of its group, and leaves the process itself unreaped, so
// that its number still belongs to it. 0 on success, else errno.
int process_wait(pid_t process);

// Reaps it. What ended it: its exit code, else -1 and the signal's number.
void process_reap(pid_t process, int *code, int *signal_number);

#endif
