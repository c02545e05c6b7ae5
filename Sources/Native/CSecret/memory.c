// explicit_bzero is an extension on Linux, memset_s one on Apple platforms.
#define _DEFAULT_SOURCE
#define __STDC_WANT_LIB_EXT1__ 1
#include "CSecret.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void csecret_wipe(void *bytes, size_t count) {
    if (bytes == NULL || count == 0) return;
#if defined(__APPLE__)
    memset_s(bytes, count, 0, count);
#else
    explicit_bzero(bytes, count);
#endif
}

int csecret_hide_input(int descriptor, struct termios *before) {
    if (tcgetattr(descriptor, before) != 0) return errno;
    struct termios hidden = *before;
    hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    hidden.c_lflag |= ICANON | ISIG;
    hidden.c_cc[VQUIT] = _POSIX_VDISABLE;
    hidden.c_cc[VSUSP] = _POSIX_VDISABLE;
    // What was typed ahead, and shown, is no answer to a question that was not there yet.
    return tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 ? 0 : errno;
}

void csecret_show_input(int descriptor, const struct termios *before) {
    tcsetattr(descriptor, TCSAFLUSH, before);
}
