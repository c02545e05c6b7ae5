#include "CDomains.h"

#if defined(BREEZE_DOMAINS)

#include <libpsl.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/uidna.h>
#include <unicode/uspoof.h>

struct cdomains {
    psl_ctx_t *suffixes;
    USpoofChecker *looks;
    UIDNA *names;
};

cdomains *cdomains_open(void) {
    cdomains *domains = calloc(1, sizeof *domains);
    if (!domains) return NULL;
    UErrorCode looks = U_ZERO_ERROR, names = U_ZERO_ERROR;
    domains->suffixes = psl_latest(NULL);
    domains->looks = uspoof_open(&looks);
    domains->names = uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE, &names);
    if (domains->suffixes && U_SUCCESS(looks) && U_SUCCESS(names)) return domains;
    cdomains_close(domains);
    return NULL;
}

void cdomains_close(cdomains *domains) {
    if (!domains) return;
    if (domains->suffixes) psl_free(domains->suffixes);
    if (domains->looks) uspoof_close(domains->looks);
    if (domains->names) uidna_close(domains->names);
    free(domains);
}

ptrdiff_t cdomains_registrable(const cdomains *domains, const char *host, char *out, size_t room) {
    const char *found = psl_registrable_domain(domains->suffixes, host);
    size_t count = found ? strlen(found) : 0;
    if (count == 0 || count > room) return -1;
    memcpy(out, found, count);
    return (ptrdiff_t)count;
}

ptrdiff_t cdomains_unicode(const cdomains *domains, const char *host, size_t count, char *out, size_t room) {
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    if (count > INT32_MAX || room > INT32_MAX) return -1;
    int32_t written =
        uidna_nameToUnicodeUTF8(domains->names, host, (int32_t)count, out, (int32_t)room, &info, &error);
    // `info` names faults of single labels, which stand there marked with U+FFFD.
    return U_FAILURE(error) || written <= 0 || (size_t)written > room ? -1 : written;
}

ptrdiff_t cdomains_skeleton(const cdomains *domains, const char *text, size_t count, char *out, size_t room) {
    UErrorCode error = U_ZERO_ERROR;
    if (count > INT32_MAX || room > INT32_MAX) return -1;
    // The type is not used since ICU 58.
    int32_t written = uspoof_getSkeletonUTF8(domains->looks, 0, text, (int32_t)count, out, (int32_t)room, &error);
    return U_FAILURE(error) || written < 0 || (size_t)written > room ? -1 : written;
}

#else

cdomains *cdomains_open(void) { return NULL; }
void cdomains_close(cdomains *domains) { (void)domains; }

ptrdiff_t cdomains_registrable(const cdomains *domains, const char *host, char *out, size_t room) {
    (void)domains, (void)host, (void)out, (void)room;
    return -1;
}

ptrdiff_t cdomains_unicode(const cdomains *domains, const char *host, size_t count, char *out, size_t room) {
    (void)domains, (void)host, (void)count, (void)out, (void)room;
    return -1;
}

ptrdiff_t cdomains_skeleton(const cdomains *domains, const char *text, size_t count, char *out, size_t room) {
    (void)domains, (void)text, (void)count, (void)out, (void)room;
    return -1;
}

#endif
