// What the secrets' module needs of C: memory that is really wiped, a terminal that shows nothing of what is typed,
// and on Linux the session's Secret Service, through libsecret, which is opened when it is first asked for.
#ifndef CSECRET_H
#define CSECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

// Overwrites with zeros, which no optimiser takes out.
void csecret_wipe(void *bytes, size_t count);

// Keeps a terminal from showing what is typed, and from being left that way: the keys that would stop or kill the
// program do nothing meanwhile, Ctrl-C excepted. `before` is what to restore. 0 on success, else errno.
int csecret_hide_input(int descriptor, struct termios *before);
void csecret_show_input(int descriptor, const struct termios *before);

#if defined(__linux__)

typedef enum {
    CSECRET_OK,
    // There is no item of that name.
    CSECRET_MISSING,
    // No libsecret, no session bus, no service on it, or no collection in the service.
    CSECRET_ABSENT,
    // The default collection is locked. Unlocking it would ask its user, which nothing here ever does.
    CSECRET_LOCKED,
    CSECRET_FAILED,
} csecret_result;

// All of these talk to the bus and may wait as long as it does. Where the result is neither OK nor MISSING, `why` is
// a few words that say more, or NULL; whoever calls frees it.
csecret_result csecret_keyring_state(char **why);

// `value` is to be wiped and freed by whoever calls.
csecret_result csecret_keyring_read(const char *name, char **value, size_t *count, char **why);
// Replaces what has the name. `label` is what a keyring's own program shows.
csecret_result csecret_keyring_write(
    const char *name, const char *label, const char *value, size_t count, char **why
);
csecret_result csecret_keyring_remove(const char *name, char **why);
// One name a line; to be freed.
csecret_result csecret_keyring_names(char **names, char **why);

#endif
#endif
