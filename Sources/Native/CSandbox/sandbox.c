// F_DUPFD_CLOEXEC and syscall() are extensions.
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static bool refuse_core_dumps(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0;
}

bool sandbox_refuse_core_dumps(void) {
#if defined(__linux__)
    // One byte is too little for a file, and it is the one limit that also keeps the kernel from piping a dump to a
    // program such as systemd-coredump, which 0 does not (fs/coredump.c). A worker is not dumpable at all.
    const struct rlimit none = {1, 1};
    if (setrlimit(RLIMIT_CORE, &none) == 0) return true;
    // It was 0 already, which only root may raise.
#endif
    return refuse_core_dumps();
}

#if defined(__linux__)

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Numbers that older headers lack; the same on every architecture.
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#define __NR_io_uring_enter 426
#define __NR_io_uring_register 427
#endif
#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif

#ifdef NATIVE_ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// The statement after it runs only where the loaded word is `value`.
#define WHEN(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1)

// Calls of another architecture (32-bit ones on a 64-bit kernel) have other numbers, so all of them are refused;
// so are those of x32, which share the architecture's name and differ by one bit.
#define ONLY_NATIVE_CALLS                                              \
    LOAD(arch),                                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0),    \
    REFUSE(EPERM),                                                     \
    LOAD(nr),                                                          \
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),             \
    REFUSE(ENOSYS)

// Every thread gets the filter; the runtime has some before the first line of ours runs.
static bool install(struct sock_filter *filter, unsigned short count) {
    struct sock_fprog program = {.len = count, .filter = filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

// A worker that traced its parent could have it open what it may not open itself.
static bool refuse_tracing_others(void) {
    struct sock_filter filter[] = {
        ONLY_NATIVE_CALLS,
        WHEN(SYS_ptrace), REFUSE(EPERM),
        WHEN(SYS_process_vm_readv), REFUSE(EPERM),
        WHEN(SYS_process_vm_writev), REFUSE(EPERM),
        WHEN(__NR_pidfd_getfd), REFUSE(EPERM),
        ALLOW,
    };
    return install(filter, sizeof filter / sizeof filter[0]);
}

// The family is an int: its low word is what the kernel reads. On a little-endian machine that word comes first.
static bool refuse_internet(void) {
    struct sock_filter filter[] = {
        ONLY_NATIVE_CALLS,
        WHEN(__NR_io_uring_setup), REFUSE(EPERM),
        WHEN(__NR_io_uring_enter), REFUSE(EPERM),
        WHEN(__NR_io_uring_register), REFUSE(EPERM),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
        ALLOW,
        LOAD(args[0]),
        WHEN(AF_UNIX), ALLOW,
        REFUSE(EACCES),
    };
    return install(filter, sizeof filter / sizeof filter[0]);
}

#else

static bool refuse_tracing_others(void) { return false; }
static bool refuse_internet(void) { return false; }

#endif

void sandbox_harden(sandbox_protection *protection) {
    protection->no_core_dumps = refuse_core_dumps();
    protection->no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    bool traced_by_none = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
    bool traces_none = protection->no_new_privileges && refuse_tracing_others();
    protection->not_traceable = traced_by_none && traces_none;
    protection->no_internet = false;
}

void sandbox_refuse_internet(sandbox_protection *protection) {
    protection->no_internet = protection->no_new_privileges && refuse_internet();
}

int sandbox_limit_memory(uint64_t bytes) {
    // Private memory alone: a model that is mapped from its file does not count.
    const struct rlimit limit = {bytes, bytes};
    return setrlimit(RLIMIT_DATA, &limit) == 0 ? 0 : errno;
}

#else

// macOS: a process can be kept from the network by the App Sandbox of its program's signature alone (sandbox_init
// is private and deprecated), so nothing is claimed here. RLIMIT_DATA does not bound malloc there.
void sandbox_harden(sandbox_protection *protection) {
    *protection = (sandbox_protection){.no_core_dumps = refuse_core_dumps()};
}

void sandbox_refuse_internet(sandbox_protection *protection) { protection->no_internet = false; }

int sandbox_limit_memory(uint64_t bytes) {
    (void)bytes;
    return ENOTSUP;
}

#endif

int sandbox_take_standard_streams(int *input, int *output) {
    fflush(stdout);
    *input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    *output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (*input < 0 || *output < 0 || nothing < 0) return errno;
    if (dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return errno;
    if (nothing > STDERR_FILENO) close(nothing);
    // Line by line, so that what was printed before a crash is there to be read.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    return 0;
}
