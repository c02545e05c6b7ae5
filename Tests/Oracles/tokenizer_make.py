"""Trains small tokenizers of every kind with the reference libraries.

    tokenizer_make.py TEXT_FILE < {"folder": …}

Prints the names of the files that it made in the folder.
"""

import json
import os
import sys

import sentencepiece
from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors,
                        trainers)

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
CL100K = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
          r"|\s*[\r\n]|\s+(?!\S)|\s+")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = (r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
            r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def byte_level(name, steps, lines, normalizer=None, ignore_merges=False, prefix=False, regex=False):
    tokenizer = Tokenizer(models.BPE(ignore_merges=ignore_merges))
    last = pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*steps, last]) if steps else last
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=3000, special_tokens=SPECIALS, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.add_tokens([AddedToken("<tool>", normalized=False), AddedToken("wholeword", single_word=True),
                          AddedToken("<strip>", lstrip=True, rstrip=True, normalized=False)])
    tokenizer.save(name)


def llama_like(name, lines, legacy):
    """As Llama 2 has it: the visible space by a normaliser, and no pre-tokenizer, or by Metaspace."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=3000, special_tokens=["<unk>", "<s>", "</s>"] + BYTES, show_progress=False,
                                  limit_alphabet=200)
    tokenizer.train_from_iterator(lines, trainer)
    content = json.loads(tokenizer.to_str())
    content["added_tokens"] = [t for t in content["added_tokens"] if not t["content"].startswith("<0x")]
    if legacy:
        content["pre_tokenizer"] = None
        content["normalizer"] = {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "\u2581"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]}
        content["decoder"] = {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
            {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    else:
        content["decoder"] = {"type": "Sequence", "decoders": [
            {"type": "ByteFallback"}, {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}]}
    with open(name, "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def plain(name, lines, pre_tokenizer, normalizer, suffix=None, prefix=None):
    options = {"end_of_word_suffix": suffix} if suffix else {"continuing_subword_prefix": prefix}
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", **options))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.normalizer = normalizer
    if suffix:
        tokenizer.decoder = decoders.BPEDecoder(suffix=suffix)
    trainer = trainers.BpeTrainer(vocab_size=2000, special_tokens=["[UNK]"], show_progress=False, **options)
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.save(name)


def unigram(name, lines, normalizer, pre_tokenizer, byte_fallback=False):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=4000, special_tokens=["<unk>", "<s>", "</s>"], unk_token="<unk>",
                                      show_progress=False)
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    content = json.loads(tokenizer.to_str())
    if byte_fallback:
        content["model"]["vocab"] += [[token, -20.0] for token in BYTES]
        content["model"]["byte_fallback"] = True
        content["decoder"] = {"type": "Sequence", "decoders": [
            {"type": "ByteFallback"}, {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}]}
    with open(name, "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)


def sentence_piece(name, path, **options):
    sentencepiece.SentencePieceTrainer.train(input=path, model_prefix=name.removesuffix(".model"), minloglevel=2,
                                             num_threads=1, input_sentence_size=20000, **options)


def main():
    path = sys.argv[1]
    os.chdir(json.load(sys.stdin)["folder"])
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    ws = pre_tokenizers
    byte_level("gpt2.json", [], lines, regex=True)
    byte_level("gpt2-prefix.json", [], lines, regex=True, prefix=True)
    byte_level("llama3.json", [split(LLAMA3)], lines, ignore_merges=True)
    byte_level("qwen2.json", [split(QWEN2)], lines, normalizer=normalizers.NFC())
    byte_level("cl100k.json", [split(CL100K)], lines)
    byte_level("gpt4o.json", [split(GPT4O)], lines)
    byte_level("deepseek.json", [split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK)], lines)
    byte_level("digits.json", [ws.Digits(individual_digits=True)], lines, regex=True)
    byte_level("falcon.json", [ws.Punctuation("contiguous"), ws.Digits(), split("[0-9][0-9][0-9]")], lines)
    llama_like("llama2.json", lines, legacy=True)
    llama_like("metaspace.json", lines, legacy=False)
    plain("clip.json", lines, ws.Sequence([ws.Whitespace()]), normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Lowercase()]), suffix="</w>")
    plain("prefixed.json", lines, ws.Sequence([ws.WhitespaceSplit(), ws.Punctuation()]), normalizers.Sequence(
        [normalizers.NFD(), normalizers.StripAccents(), normalizers.Strip()]), prefix="##")
    unigram("unigram.json", lines, normalizers.NFKC(), ws.Metaspace())
    unigram("unigram-t5.json", lines, normalizers.Sequence([normalizers.Replace(Regex(" {2,}"), " ")]),
            ws.Sequence([ws.WhitespaceSplit(), ws.Metaspace()]), byte_fallback=True)
    sentence_piece("sp-unigram.model", path, model_type="unigram", vocab_size=3000, hard_vocab_limit=False)
    sentence_piece("sp-unigram-bytes.model", path, model_type="unigram", vocab_size=3000, byte_fallback=True,
                   normalization_rule_name="identity", remove_extra_whitespaces=False,
                   user_defined_symbols=["<tool>", "<|im_end|>"])
    sentence_piece("sp-bpe.model", path, model_type="bpe", vocab_size=3000, byte_fallback=True,
                   split_digits=True, normalization_rule_name="identity", remove_extra_whitespaces=False)
    sentence_piece("sp-bpe-nfkc.model", path, model_type="bpe", vocab_size=3000, character_coverage=0.999,
                   user_defined_symbols=["<tool>"])
    sentence_piece("sp-bpe-suffix.model", path, model_type="bpe", vocab_size=3000, treat_whitespace_as_suffix=True,
                   normalization_rule_name="nmt_nfkc_cf")
    # What SentencePiece's own Unigram model becomes as a tokenizer.json, with its character map.
    reader = sentencepiece.SentencePieceProcessor(model_file="sp-unigram.model")
    xlm = Tokenizer(models.Unigram([(reader.id_to_piece(i), reader.get_score(i)) for i in range(len(reader))], unk_id=0))
    charsmap = precompiled(open("sp-unigram.model", "rb").read())
    xlm.normalizer = normalizers.Precompiled(charsmap)
    xlm.pre_tokenizer = ws.Sequence([ws.WhitespaceSplit(), ws.Metaspace()])
    xlm.decoder = decoders.Metaspace()
    xlm.save("xlmr.json")
    print(json.dumps(sorted(name for name in os.listdir(".") if name.endswith((".json", ".model")))))


def fields(data):
    """The fields of a protocol-buffer message whose values are bytes."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        key = varint()
        if key & 7 == 2:
            size = varint()
            yield key >> 3, data[place:place + size]
            place += size
        elif key & 7 == 0:
            varint()
        else:
            place += 4 if key & 7 == 5 else 8


def precompiled(model):
    normalizer = next(value for number, value in fields(model) if number == 3)
    return next(value for number, value in fields(normalizer) if number == 2)


main()
