// libarchive's C interface as Swift sees it, from the Debian package libarchive-dev; a build without the trait Archives
// does not need it, and the module is empty where it is not there.
#if __has_include(<archive.h>)
#include <archive.h>
#include <archive_entry.h>
#endif
