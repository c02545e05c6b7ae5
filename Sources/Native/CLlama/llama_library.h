// llama.cpp's C interface as Swift sees it. The archives and their order come from breeze-llama.pc, which setup
// writes; a build without the trait Llama has no such file, and the module is empty.
#if __has_include(<llama.h>)
#include <llama.h>
#include <mtmd.h>
#include <mtmd-helper.h>
#endif
