// GMime's C interface as Swift sees it, from the Debian package libgmime-3.0-dev; a build without the trait Mail
// does not need it, and the module is empty where it is not there.
#if __has_include(<gmime/gmime.h>)
#include <gmime/gmime.h>

// The GMIME_IS_* macros are not imported by Swift.
static inline int breeze_gmime_is_multipart(void *object) { return GMIME_IS_MULTIPART(object); }
static inline int breeze_gmime_is_message_part(void *object) { return GMIME_IS_MESSAGE_PART(object); }
static inline int breeze_gmime_is_part(void *object) { return GMIME_IS_PART(object); }
static inline int breeze_gmime_is_group(void *address) { return INTERNET_ADDRESS_IS_GROUP(address); }
static inline int breeze_gmime_is_mailbox(void *address) { return INTERNET_ADDRESS_IS_MAILBOX(address); }

// What bytes in a header are that say nothing of their charset. The list is copied.
static inline void breeze_gmime_set_charsets(GMimeParserOptions *options) {
    const char *charsets[] = {"utf-8", "windows-1252", NULL};
    g_mime_parser_options_set_fallback_charsets(options, charsets);
}
#endif
