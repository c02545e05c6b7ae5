// The file as it is: as an array in Swift it would take the compiler a minute. A file that changed is taken in when this
// one is touched.
#if defined(__APPLE__)
.const_data
.globl _mail_heads_begin
_mail_heads_begin:
.incbin "heads.json"
.globl _mail_heads_end
_mail_heads_end:
#else
.section .rodata
.globl mail_heads_begin
mail_heads_begin:
.incbin "heads.json"
.globl mail_heads_end
mail_heads_end:
#if defined(__ELF__)
.section .note.GNU-stack, "", %progbits
#endif
#endif
