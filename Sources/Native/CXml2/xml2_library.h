// libxml2's HTML parser as Swift sees it, from the Debian package libxml2-dev; a build without the trait Mail does not
// need it, and the module is empty where it is not there.
#if __has_include(<libxml/xmlversion.h>)
#include <libxml/xmlversion.h>
// Debian builds libxml2 with ICU, whose UErrorCode clashes with the one of Swift's Foundation.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#endif
