"""The part `tokenizer` of bench.py: encoding 10 MB of mail, one thread, in CPU-seconds.

The vocabulary of Qwen2 as llama.cpp has it, and the same written as a tokenizer.json for Hugging Face's tokenizers;
all-MiniLM-L6-v2's WordPiece; and small SentencePiece models trained on the mail's beginning: byte-pair, unigram, unigram
with SentencePiece's own normalisation, and the unigram one as a tokenizer.json, too. Both sides encode the same texts one
by one in alternating rounds; the best round of each counts, and the number of ids has to be the same.
"""
import json
import os
import pathlib
import sys
import tarfile
import tempfile
import time

from bench_program import Program

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("BREEZE_SHARED", ROOT.parent / "shared"))
MAIL = SHARED / "data/mail/enron-spam-text.tar.xz"
BYTES = 10_000_000
SENTENCE_PIECE = {"sentencePieceRatio": "bpe", "unigramRatio": "unigram", "unigramNormalizedRatio": "normalized"}
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def mail():
    texts, size = [], 0
    with tarfile.open(MAIL) as archive:
        for member in archive:
            if member.isfile():
                texts.append(archive.extractfile(member).read().decode("utf-8", "replace"))
                size += len(texts[-1].encode())
            if size >= BYTES:
                break
    return texts, size


def write_qwen2(vocabulary, file):
    """What a GGUF vocabulary is as a tokenizer.json."""
    sys.path.insert(0, str(ROOT / "Tests/Oracles"))
    from gguf_package import GGUFReader
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

    fields = {name: field.contents() for name, field in GGUFReader(vocabulary).fields.items()
              if name in ("tokenizer.ggml.tokens", "tokenizer.ggml.merges", "tokenizer.ggml.token_type")}
    tokens, kinds = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    normal = {token: number for number, token in enumerate(tokens) if kinds[number] == 1}
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=normal, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(token, normalized=False, special=kinds[number] == 3)
                          for number, token in enumerate(tokens) if kinds[number] != 1])
    tokenizer.save(str(file))


def train(texts, folder):
    import sentencepiece

    corpus = pathlib.Path(folder, "corpus.txt")
    corpus.write_text("\n".join(texts[:1000]), encoding="utf-8")
    for name, kind, rule in (("bpe", "bpe", "identity"), ("unigram", "unigram", "identity"),
                             ("normalized", "unigram", "nmt_nfkc")):
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus), model_prefix=f"{folder}/{name}", model_type=kind, vocab_size=8000, byte_fallback=True,
            normalization_rule_name=rule, minloglevel=2, num_threads=1, hard_vocab_limit=False)


def write_unigram(model, file):
    """A SentencePiece model without normalisation as a tokenizer.json."""
    import sentencepiece
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    source = sentencepiece.SentencePieceProcessor(model_file=model)
    entries = [(source.id_to_piece(number), source.get_score(number)) for number in range(len(source))]
    tokenizer = Tokenizer(models.Unigram(entries, unk_id=source.unk_id(), byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.save(file)


def hugging_face(file):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def sentence_piece(file):
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(file))
    return lambda text: len(processor.encode(text))


def sides(folder, texts):
    """(name, our file, the peer)"""
    cache = pathlib.Path(os.environ["BREEZE_CACHE"])
    qwen2 = cache / "test-data/llama-vocab/ggml-vocab-qwen2.gguf"
    write_qwen2(qwen2, pathlib.Path(folder, "qwen2.json"))
    train(texts, folder)
    yield "tokenizerRatio", qwen2, hugging_face(f"{folder}/qwen2.json")
    word_piece = cache / "models-src/all-minilm-l6-v2/tokenizer.json"
    yield "wordPieceRatio", word_piece, hugging_face(word_piece)
    write_unigram(f"{folder}/unigram.model", f"{folder}/unigram.json")
    yield "unigramTokenizersRatio", f"{folder}/unigram.json", hugging_face(f"{folder}/unigram.json")
    for name, model in SENTENCE_PIECE.items():
        yield name, f"{folder}/{model}.model", sentence_piece(f"{folder}/{model}.model")


def measure(arguments):
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    if not MAIL.exists():
        names = ("tokenizerRatio", "wordPieceRatio", "unigramTokenizersRatio", *SENTENCE_PIECE)
        reason = "the test data is not there (set BREEZE_SHARED)"
        return {name: None for name in names} | {"notJudged": dict.fromkeys(names, reason)}
    texts, size = mail()
    figures = {"bytes": size, "texts": len(texts), "speeds": {}, "notJudged": {}}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "mail.json")
        file.write_text(json.dumps(texts), encoding="utf-8")
        breeze = Program(arguments.program, "tokenizer")
        for number, (name, ours, peer) in enumerate(sides(folder, texts)):
            breeze.ask(kind="load", file=str(ours))
            spent = {"ours": [], "peer": []}
            for _ in range(arguments.rounds):
                answer = breeze.ask(kind="encode", tokenizer=number, texts=str(file))
                spent["ours"].append(answer["cpuSeconds"])
                start = time.process_time()
                tokens = sum(map(peer, texts))
                spent["peer"].append(time.process_time() - start)
                if tokens != answer["tokens"]:
                    sys.exit(f"bench: {name}: {answer['tokens']} ids, but {tokens} of the reference")
            best = {side: min(times) for side, times in spent.items()}
            figures[name] = best["peer"] / best["ours"]
            figures["speeds"][name] = {side: size / 1e6 / seconds for side, seconds in best.items()}
    return figures


def report(figures):
    if "bytes" not in figures:
        return
    yield f"tokenizer, {figures['bytes'] / 1e6:.1f} MB of mail in {figures['texts']} texts, MB a CPU-second:"
    for name, speeds in figures["speeds"].items():
        yield f"  {name.removesuffix('Ratio'):<20}{speeds['ours']:8.1f}, the reference {speeds['peer']:.1f}"
