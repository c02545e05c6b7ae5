// What Breeze uses of llama.cpp's C++ library llama-common: chat templates, the parsing of answers, JSON Schema as a
// grammar, and the sampler that llama-server uses. Its interface changes with every version, so none of it reaches
// Swift, and neither does any exception.
#ifndef BREEZE_LLAMA_COMMON_H
#define BREEZE_LLAMA_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct llama_model;
struct llama_context;

// A returned string belongs to the caller, who frees it with lc_free. NULL means failure; *error is then the reason,
// to be freed likewise.

void lc_free(char *text);

// Nothing of llama-common's own log is written anywhere.
void lc_silence(void);

typedef struct lc_templates lc_templates;

// jinja: the template as the model holds it. bos, eos: the texts of those tokens.
lc_templates *lc_templates_new(const char *jinja, const char *bos, const char *eos, char **error);
void lc_templates_free(lc_templates *templates);

// request: {"messages": […], "tools": […], "tool_choice": "auto|required|none", "parallel_tool_calls": bool,
//           "json_schema": {…}, "enable_thinking": bool}; only messages is required. Messages and tools are in
//           OpenAI's form.
// result:  {"prompt", "format", "parser", "generation_prompt", "grammar", "grammar_lazy", "triggers", "preserved",
//           "stops", "thinking_start", "thinking_ends"}; to be handed on to lc_parse and lc_sampler_new.
char *lc_templates_apply(lc_templates *templates, const char *request, char **error);

// A chat message in OpenAI's form: {"role", "content", "reasoning_content", "tool_calls"}. applied is a result of
// lc_templates_apply. partial: the text has yet to end.
char *lc_parse(const char *applied, const char *text, bool partial, char **error);

// GBNF. What the converter cannot express it may drop with a mere warning: check the schema first.
char *lc_schema_to_grammar(const char *schema, char **error);

typedef struct lc_sampler lc_sampler;

// parameters: {"seed", "temperature", "top_k", "top_p", "min_p", "repeat_penalty", "repeat_last_n",
//              "frequency_penalty", "presence_penalty", "grammar"}; what is left out keeps llama.cpp's default.
// applied: as lc_parse takes it, or NULL. Its grammar is used where parameters has none. A grammar of parameters
// describes the answer from its first token.
lc_sampler *lc_sampler_new(
    const struct llama_model *model, const char *parameters, const char *applied, char **error);
void lc_sampler_free(lc_sampler *sampler);

// The prompt's tokens count for the penalties.
void lc_sampler_accept_prompt(lc_sampler *sampler, const int32_t *tokens, size_t count);

// Samples from the logits of that row and accepts the token. -1 means failure.
int32_t lc_sampler_next(lc_sampler *sampler, struct llama_context *context, int32_t row, char **error);

#ifdef __cplusplus
}
#endif
#endif
