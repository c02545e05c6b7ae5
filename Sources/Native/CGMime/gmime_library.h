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
#endif
