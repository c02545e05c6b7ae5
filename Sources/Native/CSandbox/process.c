// pipe2 and posix_spawn_file_actions_addclosefrom_np are extensions.
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#if TARGET_OS_OSX
#include <libproc.h>
#endif
#endif

// A descriptor that took the place of a standard stream, because the program was started without one, would be
// closed by the child's set-up.
static int keep_away_from_standard_streams(int ends[2]) {
    for (int index = 0; index < 2; index++) {
        if (ends[index] > STDERR_FILENO) continue;
        int moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3);
        if (moved < 0) {
            int fault = errno;
            close(ends[0]);
            close(ends[1]);
            return fault;
        }
        close(ends[index]);
        ends[index] = moved;
    }
    return 0;
}

#if defined(__linux__)

int process_channel(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    return keep_away_from_standard_streams(ends);
}

int process_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    return keep_away_from_standard_streams(ends);
}

ssize_t process_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 ? -errno : sent;
}

#else

// Without the flags there is a moment in which another thread may start a program that inherits the ends; our own
// children close all but their standard streams (POSIX_SPAWN_CLOEXEC_DEFAULT).
static int close_on_exec(int ends[2]) {
    for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    return keep_away_from_standard_streams(ends);
}

int process_channel(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
    int on = 1;
    for (int index = 0; index < 2; index++) {
        setsockopt(ends[index], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
    return close_on_exec(ends);
}

int process_pipe(int ends[2]) {
    if (pipe(ends) != 0) return errno;
    return close_on_exec(ends);
}

ssize_t process_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent = send(descriptor, bytes, count, MSG_DONTWAIT);
    return sent < 0 ? -errno : sent;
}

#endif

static int prepare(posix_spawnattr_t *attributes, posix_spawn_file_actions_t *actions, int channel, int errors) {
    int fault = posix_spawn_file_actions_adddup2(actions, channel, STDIN_FILENO);
    if (fault == 0) fault = posix_spawn_file_actions_adddup2(actions, channel, STDOUT_FILENO);
    if (fault == 0) fault = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(__APPLE__)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    // Others in this process may have forgotten to set close-on-exec.
    if (fault == 0) fault = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#endif
    sigset_t all, none;
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    sigemptyset(&none);
    if (fault == 0) fault = posix_spawnattr_setflags(attributes, flags);
    if (fault == 0) fault = posix_spawnattr_setpgroup(attributes, 0);
    // A signal that this process ignores or blocks would be ignored or blocked there too.
    if (fault == 0) fault = posix_spawnattr_setsigdefault(attributes, &all);
    if (fault == 0) fault = posix_spawnattr_setsigmask(attributes, &none);
    return fault;
}

int process_start(
    const char *path, char *const arguments[], char *const environment[], int channel, int errors, pid_t *process
) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int fault = posix_spawnattr_init(&attributes);
    if (fault != 0) return fault;
    fault = posix_spawn_file_actions_init(&actions);
    if (fault == 0) {
        fault = prepare(&attributes, &actions, channel, errors);
        if (fault == 0) fault = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return fault;
}

#if defined(__linux__)

int64_t process_resident_memory(pid_t process) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "re");
    if (file == NULL) return -1;
    long long pages = -1;
    if (fscanf(file, "%*s %lld", &pages) != 1) pages = -1;
    fclose(file);
    return pages < 0 ? -1 : (int64_t)pages * sysconf(_SC_PAGESIZE);
}

#elif defined(__APPLE__) && TARGET_OS_OSX

int64_t process_resident_memory(pid_t process) {
    struct proc_taskinfo info;
    int size = proc_pidinfo(process, PROC_PIDTASKINFO, 0, &info, sizeof info);
    return size == (int)sizeof info ? (int64_t)info.pti_resident_size : -1;
}

#else

int64_t process_resident_memory(pid_t process) {
    (void)process;
    return -1;
}

#endif

int process_wait(pid_t process) {
    siginfo_t found;
    while (waitid(P_PID, (id_t)process, &found, WEXITED | WNOWAIT) != 0) {
        if (errno != EINTR) return errno;
    }
    kill(-process, SIGKILL);
    return 0;
}

void process_reap(pid_t process, int *code, int *signal_number) {
    int status = 0;
    *code = -1;
    *signal_number = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return;
    }
    if (WIFEXITED(status)) *code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) *signal_number = WTERMSIG(status);
}
