import BreezeCore

/// How the byte-pair models that llama.cpp knows by name divide text into words.
///
/// The patterns are those of the models' own files. llama.cpp's `llama-vocab.cpp` rewrites some for
/// `std::regex`; where it does, the original stands here.
enum PreTokenizerCatalog {
    struct Words {
        var steps: [PreTokenizer.Step]
        var isByteLevel = true
        /// A word that is a token is not merged at all.
        var ignoresMerges = false
        var addsBeginning = false
    }

    static func words(_ name: String, file: String) throws(BreezeError) -> Words {
        guard let entry = entries[name] else {
            throw BreezeError(
                .unsupported,
                "\(file) divides words as \"\(name.prefix(40))\" does, which is not supported.",
                remedy: "Take an edition of the model with tokenizer.json."
            )
        }
        var words = Words(steps: [])
        for part in entry.parts {
            switch part {
            case .pattern(let pattern):
                words.steps.append(.split(.init(delimiter: try matcher(pattern, file))))
            case .digitGroups: words.steps.append(.split(.init(delimiter: .digitGroups)))
            }
        }
        words.isByteLevel = !plainText.contains(name)
        words.ignoresMerges = ignoringMerges.contains(name)
        words.addsBeginning = addingBeginning.contains(name)
        return words
    }

    static func matcher(_ pattern: String, _ file: String) throws(BreezeError) -> PieceSplitter.Delimiter {
        let fault: PatternFault
        do throws(PatternFault) { return .pattern(try PatternMatcher(pattern)) } catch { fault = error }
        throw BreezeError(
            .unsupported,
            "\(file) divides text by the pattern \(pattern.prefix(200)), which has \(fault.reason).",
            remedy: "Take another edition of the model, or report the pattern."
        )
    }

    private enum Part {
        case pattern(String)
        case digitGroups
    }

    private struct Entry {
        let parts: [Part]

        init(_ patterns: String...) {
            parts = patterns.map { $0 == PreTokenizerCatalog.digitGroups ? .digitGroups : .pattern($0) }
        }
    }

    static let digitGroups = #"\d{1,3}(?=(?:\d{3})*\b)"#
    private static let contraction = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
    private static let gpt2 = #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)"#
    private static let spaces = #"\s*[\r\n]+|\s+(?!\S)|\s+"#
    private static let marksAsOther = #" ?[^\s\p{L}\p{N}]+[\r\n]*|"# + spaces

    private static func llama3(digits: String) -> String {
        contraction + #"|[^\r\n\p{L}\p{N}]?\p{L}+|"# + digits + "|" + marksAsOther
    }

    private static func gpt4o(digits: String, suffix: String) -> String {
        let upper = #"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"#
        let lower = #"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"#
        let before = #"[^\r\n\p{L}\p{N}]?"#
        return "\(before)\(upper)*\(lower)+\(suffix)|\(before)\(upper)+\(lower)*\(suffix)|\(digits)"
            + #"| ?[^\s\p{L}\p{N}]+[\r\n/]*|"# + spaces
    }

    private static let deepseekWords =
        ##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"##
        + #"| ?[\p{P}\p{S}]+[\r\n]*|"# + spaces
    private static let cjk = "[一-龥぀-ゟ゠-ヿ]+"
    private static let kimi: String = {
        let upper = #"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"#
        let lower = #"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"#
        let before = #"[^\r\n\p{L}\p{N}]?"#
        return #"[\p{Han}]+|"# + "\(before)\(upper)*\(lower)+\(contraction)?|\(before)\(upper)+\(lower)*"
            + contraction + #"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"# + spaces
    }()

    private static let plainText: Set = ["gemma4", "granite-embed-multi-311m", "sarvam-moe"]
    private static let ignoringMerges: Set = [
        "minicpm5", "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
        "jina-v5-nano", "youtu", "glm4", "glm5", "tekken", "granite-embed-multi-97m",
    ]
    private static let addingBeginning: Set = [
        "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
        "jina-v5-nano",
        "tekken", "chameleon",
    ]

    private static let entries: [String: Entry] = {
        var entries: [String: Entry] = [:]
        func add(_ names: [String], _ entry: Entry) {
            for name in names { entries[name] = entry }
        }
        add(["default"], Entry(#"[\p{P}\$\+<=>\^~\|]+"#, gpt2, #"\p{N}+"#, "[0-9][0-9][0-9]"))
        add(
            [
                "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
                "jina-v5-nano", "dbrx", "smaug-bpe", "chatglm-bpe", "glm4", "glm5",
            ],
            Entry(llama3(digits: #"\p{N}{1,3}"#))
        )
        add(
            [
                "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "stablelm2", "megrez", "hunyuan",
                "solar-open", "grok-2",
            ],
            Entry(llama3(digits: #"\p{N}"#))
        )
        add(
            ["qwen35"],
            Entry(
                contraction + #"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|"#
                    + spaces
            )
        )
        add(["ufakzeka"], Entry(#"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"# + marksAsOther))
        add(["minicpm5"], Entry(#"\p{N}{1,3}"#, llama3(digits: #"\p{N}+"#)))
        add(["laguna"], Entry(#"[^\n]+|[\n]+"#, llama3(digits: #"\p{N}"#)))
        add(
            [
                "gpt-2", "phi-2", "jina-es", "jina-de", "gigachat", "jina-v2-es", "jina-v2-de", "a.x-4.0",
                "mellum", "modern-bert", "jina-v1-en", "jina-v2-code", "roberta-bpe", "mpt", "olmo", "jais",
                "exaone4", "trillion", "granite-docling",
            ],
            Entry(gpt2)
        )
        add(
            ["starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2"],
            Entry(#"\p{N}"#, gpt2)
        )
        add(["falcon"], Entry(#"[\p{P}\$\+<=>\^~\|`]+"#, gpt2, "[0-9][0-9][0-9]"))
        add(
            ["deepseek-llm"],
            Entry(
                "[\r\n]",
                #"\s?["# + cased + "]+",
                #"\s?[!-/:-~！-／：-～‘-‟　-。]+"#,
                #"\s+$"#,
                "[一-龥ࠀ-一가-퟿]+",
                #"\p{N}+"#
            )
        )
        add(["deepseek-coder"], Entry("[\r\n]", #"\s?\p{L}+"#, #"\s?\p{P}+"#, "[一-龥ࠀ-一가-퟿]+", #"\p{N}"#))
        add(
            ["deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"],
            Entry(#"\p{N}{1,3}"#, cjk, deepseekWords)
        )
        add(
            ["gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2", "granite-embed-multi-97m"],
            Entry(gpt4o(digits: #"\p{N}{1,3}"#, suffix: contraction + "?"))
        )
        add(
            ["tiny_aya", "cohere2moe"],
            Entry(digitGroups, gpt4o(digits: #"\p{N}{1,3}"#, suffix: contraction + "?"))
        )
        add(["tekken"], Entry(gpt4o(digits: #"\p{N}"#, suffix: "")))
        add(["kimi-k2"], Entry(kimi))
        add(["superbpe"], Entry(#"\p{N}+"#, digitGroups))
        add(["poro-chat", "bloom", "gpt3-finnish"], Entry(" ?[^(\\s|.,!?…。，、।۔،)]+"))
        add(["viking"], Entry(" ?[^(\\s|.,!?…。，、।۔،)]+", #"\p{N}"#))
        add(
            ["bailingmoe", "bailingmoe2", "llada-moe"],
            Entry(
                #"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|"#
                    + #"\s*[\r\n]|\s+(?!\S)|\s+"#
            )
        )
        add(
            ["seed-coder"],
            Entry(contraction + #"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|"# + spaces)
        )
        add(
            ["exaone-moe"],
            Entry(
                contraction + #"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}"#
                    + #"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"#
            )
        )
        add(["gemma4", "granite-embed-multi-311m", "sarvam-moe"], Entry(#"[^\n]+|[\n]+"#))
        return entries
    }()

    /// The letters with case that deepseek-llm's file lists.
    private static let cased = """
        A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅ\
        ὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-\
        ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃
        """
}
