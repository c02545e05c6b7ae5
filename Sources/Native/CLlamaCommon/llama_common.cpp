#include "CLlamaCommon.h"

#if __has_include(<llama.h>)

#include <llama-common/chat.h>
#include <llama-common/common.h>
#include <llama-common/json-schema-to-grammar.h>
#include <llama-common/json.h>
#include <llama-common/log.h>
#include <llama-common/sampling.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

struct lc_templates {
    common_chat_templates_ptr templates;
};

struct lc_sampler {
    common_sampler_ptr sampler;
    // How many of the best tokens alone the chain looks at; 0 where it looks at all of them.
    size_t best_alone = 0;
    std::vector<llama_token_data> best;
};

static char *copied(const std::string &text) {
    char *copy = static_cast<char *>(std::malloc(text.size() + 1));
    if (copy) std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

// An exception that crossed into Swift would end the process.
template <class Result, class Body> static Result guarded(char **error, Result failed, Body body) {
    if (error) *error = nullptr;
    try {
        return body();
    } catch (const std::exception &fault) {
        if (error) *error = copied(fault.what());
    } catch (...) {
        if (error) *error = copied("an exception of an unknown kind");
    }
    return failed;
}

static common_chat_templates_inputs inputs(const common_json &request) {
    common_chat_templates_inputs in;
    in.messages = common_chat_msgs_parse_oaicompat(request.at("messages"));
    if (request.contains("tools")) in.tools = common_chat_tools_parse_oaicompat(request.at("tools"));
    if (request.contains("tool_choice"))
        in.tool_choice = common_chat_tool_choice_parse_oaicompat(request.at("tool_choice").get<std::string>());
    if (request.contains("json_schema")) in.json_schema = request.at("json_schema").dump();
    in.parallel_tool_calls = request.value("parallel_tool_calls", false);
    in.enable_thinking = request.value("enable_thinking", true);
    in.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
    return in;
}

static common_json json(const common_chat_params &applied) {
    auto triggers = common_json::array();
    for (const auto &trigger : applied.grammar_triggers) {
        auto item = common_json::object();
        item["type"] = static_cast<int>(trigger.type);
        item["value"] = trigger.value;
        triggers.push_back(item);
    }
    auto strings = [](const std::vector<std::string> &texts) {
        auto list = common_json::array();
        for (const auto &text : texts) list.push_back(text);
        return list;
    };
    auto result = common_json::object();
    result["prompt"] = applied.prompt;
    result["format"] = static_cast<int>(applied.format);
    result["parser"] = applied.parser;
    result["generation_prompt"] = applied.generation_prompt;
    result["grammar"] = applied.grammar;
    result["grammar_lazy"] = applied.grammar_lazy;
    result["triggers"] = triggers;
    result["preserved"] = strings(applied.preserved_tokens);
    result["stops"] = strings(applied.additional_stops);
    result["thinking_start"] = applied.thinking_start_tag;
    result["thinking_ends"] = strings(applied.thinking_end_tags);
    return result;
}

// As llama-server takes over what a template asks of the sampler.
static void constrain(common_params_sampling &params, const common_json &applied, const llama_vocab *vocab) {
    auto tokens = [&](const std::string &text) { return common_tokenize(vocab, text, false, true); };
    auto grammar = applied.at("grammar").get<std::string>();
    if (!grammar.empty()) params.grammar = common_grammar(COMMON_GRAMMAR_TYPE_TOOL_CALLS, grammar);
    params.grammar_lazy = applied.at("grammar_lazy").get<bool>();
    params.generation_prompt = applied.at("generation_prompt").get<std::string>();
    for (const auto &text : applied.at("preserved")) {
        auto ids = tokens(text.get<std::string>());
        if (ids.size() == 1) params.preserved_tokens.insert(ids[0]);
    }
    for (const auto &item : applied.at("triggers")) {
        common_grammar_trigger trigger;
        trigger.type = static_cast<common_grammar_trigger_type>(item.at("type").get<int>());
        trigger.value = item.at("value").get<std::string>();
        if (trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_WORD) {
            auto ids = tokens(trigger.value);
            if (ids.size() == 1 && params.preserved_tokens.count(ids[0])) {
                trigger.type = COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN;
                trigger.token = ids[0];
            }
        }
        params.grammar_triggers.push_back(trigger);
    }
    auto start = applied.at("thinking_start").get<std::string>();
    if (!start.empty()) params.reasoning_budget_start = tokens(start);
    for (const auto &end : applied.at("thinking_ends"))
        params.reasoning_budget_end.push_back(tokens(end.get<std::string>()));
    if (!params.reasoning_budget_end.empty()) params.reasoning_budget_forced = params.reasoning_budget_end.front();
}

// Nothing before top-k changes or reads a logit, and no grammar may ask for a token that top-k leaves out.
static size_t best_alone(const common_params_sampling &params, const llama_vocab *vocab) {
    int32_t suppressed = 0;
    llama_vocab_get_suppress_tokens(vocab, &suppressed);
    bool constrained = !common_grammar_value(params.grammar).empty() || !params.reasoning_budget_start.empty();
    bool penalised = params.penalty_repeat != 1 || params.penalty_freq != 0 || params.penalty_present != 0 ||
        params.dry_multiplier != 0 || params.top_n_sigma > 0;
    bool biased = suppressed > 0 || !params.logit_bias.empty();
    bool usual = params.mirostat == 0 && params.samplers == common_params_sampling().samplers;
    bool few = params.top_k > 0 && params.top_k <= 256 && params.top_k < llama_vocab_n_tokens(vocab);
    return usual && few && !constrained && !penalised && !biased ? params.top_k : 0;
}

// The `count` tokens of the largest logits, in no order; fewer where logits are no numbers. llama.cpp copies the
// whole vocabulary into records first, which takes a tenth of a small model's time for a token.
static void find_best(const float *logits, int32_t vocabulary, size_t count, std::vector<llama_token_data> &best) {
    constexpr int32_t block = 32;
    float least = -INFINITY;
    auto keep = [&] {
        auto last = best.begin() + count - 1;
        auto larger = [](const llama_token_data &a, const llama_token_data &b) { return a.logit > b.logit; };
        std::nth_element(best.begin(), last, best.end(), larger);
        least = last->logit;
        best.resize(count);
    };
    best.clear();
    for (int32_t start = 0; start < vocabulary; start += block) {
        auto end = std::min(start + block, vocabulary);
        bool any = false;
        for (auto token = start; token < end; token++) any |= logits[token] > least;
        if (!any) continue;
        for (auto token = start; token < end; token++)
            if (logits[token] > least) best.push_back({token, logits[token], 0});
        if (best.size() >= 4 * count + block) keep();
    }
    if (best.size() > count) keep();
}

static llama_token next(lc_sampler &sampler, llama_context *context, int32_t row) {
    if (sampler.best_alone > 0) {
        auto vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(llama_get_model(context)));
        find_best(llama_get_logits_ith(context, row), vocabulary, sampler.best_alone, sampler.best);
        llama_token_data_array candidates{sampler.best.data(), sampler.best.size(), -1, false};
        if (sampler.best.size() == sampler.best_alone) {
            llama_sampler_apply(common_sampler_get(sampler.sampler.get()), &candidates);
            return candidates.data[candidates.selected].id;
        }
    }
    return common_sampler_sample(sampler.sampler.get(), context, row);
}

extern "C" {

void lc_free(char *text) { std::free(text); }

void lc_silence(void) { common_log_set_verbosity_thold(INT_MIN); }

lc_templates *lc_templates_new(const char *jinja, const char *bos, const char *eos, char **error) {
    return guarded(error, static_cast<lc_templates *>(nullptr), [&] {
        return new lc_templates{common_chat_templates_init(nullptr, jinja, bos, eos)};
    });
}

void lc_templates_free(lc_templates *templates) { delete templates; }

char *lc_templates_apply(lc_templates *templates, const char *request, char **error) {
    return guarded(error, static_cast<char *>(nullptr), [&] {
        auto in = inputs(common_json::parse(request));
        return copied(json(common_chat_templates_apply(templates->templates.get(), in)).dump());
    });
}

char *lc_parse(const char *applied, const char *text, bool partial, char **error) {
    return guarded(error, static_cast<char *>(nullptr), [&] {
        auto from = common_json::parse(applied);
        common_chat_parser_params params;
        params.format = static_cast<common_chat_format>(from.at("format").get<int>());
        params.generation_prompt = from.at("generation_prompt").get<std::string>();
        params.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
        auto parser = from.at("parser").get<std::string>();
        if (!parser.empty()) params.parser.load(parser);
        return copied(common_chat_parse(text, partial, params).to_json_oaicompat().dump());
    });
}

char *lc_schema_to_grammar(const char *schema, char **error) {
    return guarded(error, static_cast<char *>(nullptr), [&] {
        return copied(json_schema_to_grammar(common_json::parse(schema)));
    });
}

lc_sampler *lc_sampler_new(
    const llama_model *model, const char *parameters, const char *applied, char **error) {
    return guarded(error, static_cast<lc_sampler *>(nullptr), [&] {
        auto from = common_json::parse(parameters);
        common_params_sampling params;
        params.no_perf = true;
        params.seed = from.value("seed", params.seed);
        params.temp = from.value("temperature", params.temp);
        params.top_k = from.value("top_k", params.top_k);
        params.top_p = from.value("top_p", params.top_p);
        params.min_p = from.value("min_p", params.min_p);
        params.penalty_repeat = from.value("repeat_penalty", params.penalty_repeat);
        params.penalty_last_n = from.value("repeat_last_n", params.penalty_last_n);
        params.penalty_freq = from.value("frequency_penalty", params.penalty_freq);
        params.penalty_present = from.value("presence_penalty", params.penalty_present);
        if (applied) constrain(params, common_json::parse(applied), llama_model_get_vocab(model));
        auto grammar = from.value("grammar", std::string());
        if (!grammar.empty()) {
            // It begins where the answer does, and not with what the template put before it.
            params.grammar = common_grammar(COMMON_GRAMMAR_TYPE_USER, grammar);
            params.grammar_lazy = false;
            params.grammar_triggers.clear();
        }
        common_sampler_ptr sampler(common_sampler_init(model, params));
        if (!sampler) throw std::runtime_error("the sampler cannot be made");
        return new lc_sampler{std::move(sampler), best_alone(params, llama_model_get_vocab(model)), {}};
    });
}

void lc_sampler_free(lc_sampler *sampler) { delete sampler; }

void lc_sampler_accept_prompt(lc_sampler *sampler, const int32_t *tokens, size_t count) {
    guarded(nullptr, false, [&] {
        for (size_t i = 0; i < count; i++) common_sampler_accept(sampler->sampler.get(), tokens[i], false);
        return true;
    });
}

int32_t lc_sampler_next(lc_sampler *sampler, llama_context *context, int32_t row, char **error) {
    return guarded(error, int32_t{-1}, [&] {
        auto token = next(*sampler, context, row);
        common_sampler_accept(sampler->sampler.get(), token, true);
        return token;
    });
}

} // extern "C"

#elif defined(BREEZE_LLAMA)
#error "The trait Llama needs llama.cpp: run `make setup`, and build with `make build`, which tells where it lies."
#endif
