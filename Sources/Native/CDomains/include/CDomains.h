// What is known of host names: where a registrable domain begins, by the public suffix list (libpsl), and what a name
// looks like, by Unicode's rules for international names and for look-alikes (ICU). No type of either is named here:
// ICU's clash with those of Swift's Foundation.
//
// Whatever `cdomains_open` gave may be asked by any number of threads at once.
#ifndef CDOMAINS_H
#define CDOMAINS_H

#include <stddef.h>

typedef struct cdomains cdomains;

// NULL where a part of it cannot be had, and in a build without the trait Mail. Reads the distribution's list where
// it is newer than the one in libpsl.
cdomains *cdomains_open(void);
void cdomains_close(cdomains *domains);

// These write UTF-8 without an end mark into `room` bytes at `out`, and return how many, or -1 where there is no
// answer or too little room.

// Of a host in lower case, in UTF-8 or as punycode. None for an ending that is shared, such as co.uk.
ptrdiff_t cdomains_registrable(const cdomains *domains, const char *host, char *out, size_t room);
// UTS 46, non-transitional: labels in punycode become what they stand for; one that stands for nothing stays.
ptrdiff_t cdomains_unicode(const cdomains *domains, const char *host, size_t count, char *out, size_t room);
// UTS 39: texts that look alike have the same one. It is nothing to show.
ptrdiff_t cdomains_skeleton(const cdomains *domains, const char *text, size_t count, char *out, size_t room);

#endif
