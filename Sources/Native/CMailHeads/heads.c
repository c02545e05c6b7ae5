#include "CMailHeads.h"

extern const uint8_t mail_heads_begin[];
extern const uint8_t mail_heads_end[];

const uint8_t *mail_heads(size_t *length) {
  *length = (size_t)(mail_heads_end - mail_heads_begin);
  return mail_heads_begin;
}
