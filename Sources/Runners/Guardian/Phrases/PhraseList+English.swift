extension PhraseList {
    static let english = PhraseList(phrases: [
        (
            .override,
            """
            ignore, ignoring, disregard, disregarding, forget, forgetting, override, bypass, discard, neglect,
            do not follow, don't follow, stop following, do not obey, don't obey, stop obeying,
            pay no attention to, do not listen to, don't listen to, set aside, do not adhere to
            """
        ),
        (
            .negatedOverride,
            """
            do not ignore, don't ignore, never ignore, not ignore, do not forget, don't forget, never forget,
            not forget, do not disregard, don't disregard, never disregard, not disregard, forget to,
            do not override, don't override, do not bypass, don't bypass, do not skip, don't skip,
            cannot ignore, can't ignore, you do not follow, you don't follow, who do not follow, who don't follow
            """
        ),
        (.previous, "previous, previously given, prior, earlier, above, preceding, foregoing, former"),
        (
            .whole,
            "all, any, every, your, system, original, initial, existing, current, developer, safety, given"
        ),
        (
            .instructions,
            "instruction, instructions, directive, directives, guardrails, programming"
        ),
        (.prompts, "prompt, prompts"),
        (
            .rules,
            "rule, rules, guideline, guidelines, restrictions, constraints, policies, commands, safeguards"
        ),
        (
            .saidBefore,
            """
            everything above, everything before, everything you were told, everything you have been told,
            everything you've been told, everything you know, everything I said, everything I told you,
            everything that came before, what you were told, what you have been told, the text above,
            the conversation so far, previous conversation, your training
            """
        ),
        (
            .reveal,
            """
            reveal, show, print, output, repeat, display, leak, expose, disclose, dump, recite, tell me, give me,
            write out, spell out, what is, what are, what's, return, share, quote, copy, send me, translate
            """
        ),
        (
            .hiddenPrompt,
            """
            system prompt, initial prompt, hidden prompt, hidden instructions, secret instructions,
            developer message, your initial instructions, your original instructions,
            your system message, your system instructions, your hidden rules, preprompt
            """
        ),
        (
            .ownInstructions,
            """
            system message, system instructions, initial instructions, your instructions, your guidelines,
            your rules, your prompt, instructions you were given, original instructions, internal instructions
            """
        ),
        (
            .repeatAbove,
            "repeat the words above, repeat everything above, repeat the text above, repeat all of the above"
        ),
    ])

    static let englishAttacks = PhraseList(phrases: [
        (
            .becoming,
            """
            you are now, you're now, from now on you are, from now on you will, act as, acting as, pretend to be,
            pretend you are, pretend that you are, roleplay as, role play as, behave like, behave as,
            you will now act, respond as, answer as
            """
        ),
        (
            .being,
            "you are, you're"
        ),
        (
            .unboundMachine,
            """
            unrestricted AI, unrestricted assistant, unfiltered AI, uncensored AI, amoral AI, evil AI,
            evil assistant, jailbroken AI, jailbroken assistant, DAN mode, jailbreak mode,
            unrestricted language model, uncensored language model
            """
        ),
        (
            .unbound,
            """
            jailbroken, do anything now, developer mode, god mode, without restrictions, with no restrictions, without any restrictions, without filters,
            without any filters, free from all restrictions, free of all restrictions, not bound by any rules,
            no longer bound by your, not bound by your, without ethical, no ethical, no content policy
            """
        ),
        (.danName, "DAN"),
        (.anythingNow, "do anything now"),
        (.machine, "AI, chatbot, language model, AI model, AI assistant"),
        (
            .modeSwitch,
            """
            developer mode enabled, developer mode activated, enable developer mode, activate developer mode,
            enter developer mode, switch to developer mode, jailbreak mode, DAN mode, activate DAN, god mode enabled
            """
        ),
        (
            .newInstructions,
            """
            your new instructions are, here are your new instructions, follow these new instructions,
            new system prompt, your real instructions are, your true instructions are, begin new instructions,
            end of system prompt, updated system prompt, system override
            """
        ),
        (
            .send,
            "send, post, forward, upload, transmit, exfiltrate, leak, append, submit, deliver, encode, put"
        ),
        (
            .privateContent,
            """
            this conversation, the conversation, entire conversation, chat history, conversation history, user's data, user data, user's messages,
            system prompt, your instructions, API key, API keys, credentials, passwords, the inbox, all emails,
            all e-mails, all mails, all messages, contact list, secrets, private data, personal data, your memory,
            the context, this chat, our chat, entire chat
            """
        ),
        (
            .toAddress,
            """
            to http, to https, to www, to the URL, to this URL, to the following URL, to my server, to our server,
            to the attacker, to the webhook, to this webhook, as a query parameter, in the query string,
            as a URL parameter, in the URL, to the endpoint, to this endpoint
            """
        ),
        (
            .concealment,
            """
            do not tell the user, don't tell the user, without telling the user, do not inform the user,
            don't inform the user, do not mention this to the user, don't mention this to the user,
            hide this from the user, do not reveal this to the user, do not alert the user
            """
        ),
        (
            .toMachine,
            """
            if you are an AI, if you're an AI, if you are a language model, if you are an LLM,
            if you are a large language model, if you are an AI assistant, if you are a chatbot, note to the AI,
            note to any AI, attention AI assistant, attention AI assistants, attention AI agents,
            instructions for the AI, instruction for the AI, instructions for AI assistants,
            instructions for AI agents, message to the AI, AI assistant reading this, AI assistants reading this,
            AI reading this, AI agent reading this, AI agents reading this, AI processing this,
            language model reading this, language models reading this, LLM reading this, AI models reading this
            """
        ),
        (
            .command,
            """
            ignore, disregard, you must, you should, always, instead, do not, don't, reply, respond, recommend,
            include, forward, send, say, tell, answer, output, write, rate, summarize, execute, run, delete
            """
        ),
        (.templateMarker, "im_start, im_end, endoftext, start_header_id, eot_id, begin_of_text, system|>"),
        (.bracketMarker, "INST]"),
        (
            .privateKeyHeader,
            """
            BEGIN PRIVATE KEY, BEGIN RSA PRIVATE KEY, BEGIN DSA PRIVATE KEY, BEGIN EC PRIVATE KEY,
            BEGIN OPENSSH PRIVATE KEY, BEGIN ENCRYPTED PRIVATE KEY, BEGIN PGP PRIVATE KEY BLOCK
            """
        ),
    ])
}
