#ifndef BREEZE_MAIL_HEADS_H
#define BREEZE_MAIL_HEADS_H

#include <stddef.h>
#include <stdint.h>

/// The file heads.json, which lies in the program for as long as it runs.
const uint8_t *mail_heads(size_t *length);

#endif
