/// Words and phrases that play the same part in a rule, whatever their language.
enum PhraseClass: Int, CaseIterable, Sendable {
    /// Verbs: ignore, vergiss, oubliez.
    case override
    /// What looks like such a verb and means the contrary: do not forget.
    case negatedOverride
    /// Adjectives: previous, vorherigen.
    case previous
    /// Determiners that take in what came before: all, deine, vos.
    case whole
    /// Nouns that a person seldom gives to another: instructions, prompt, Anweisungen.
    case instructions
    /// Prompt: that of an installer, too.
    case prompts
    /// Nouns that have many other uses: rules, restrictions.
    case rules
    /// What was said, as a whole: everything you were told.
    case saidBefore
    /// Verbs: reveal, zeige, affichez.
    case reveal
    /// The text an assistant works under, by names that mean nothing else.
    case hiddenPrompt
    /// The same by names that other things bear too.
    case ownInstructions
    /// Repeat the words above.
    case repeatAbove
    /// Verbs that give a role: you are now, act as.
    case becoming
    /// The same of what is so already: you are.
    case being
    /// A role without limits: developer mode, sans filtre.
    case unbound
    /// The same in words that fit a machine alone: an unrestricted AI.
    case unboundMachine
    case danName
    case anythingNow
    case machine
    /// Developer mode enabled, new system prompt.
    case modeSwitch
    case newInstructions
    case send
    /// What an assistant knows and an attacker wants.
    case privateContent
    case toAddress
    /// Do not tell the user.
    case concealment
    /// A reader that is a machine: if you are an AI.
    case toMachine
    case command
    /// Words within the markers that separate turns in chat templates.
    case templateMarker
    case bracketMarker
    case privateKeyHeader
}
