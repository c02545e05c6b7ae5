"""What the reference libraries make of texts.

    tokenizer_oracle.py FILE < ["text", …]

Prints for each text its ids without a frame, what they decode to, and where each comes from, in bytes of UTF-8
(null where the library does not say).
"""

import json
import sys


def hugging_face(path, texts):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(path)
    for text in texts:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        places = [0]
        for character in text:
            places.append(places[-1] + len(character.encode()))
        yield {
            "ids": encoding.ids,
            "decoded": tokenizer.decode(encoding.ids, skip_special_tokens=False),
            "ranges": [[places[start], places[end]] for start, end in encoding.offsets],
        }


def sentence_piece(path, texts):
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=path)
    for text in texts:
        ids = processor.encode(text)
        yield {"ids": ids, "decoded": processor.decode(ids), "ranges": None}


path = sys.argv[1]
texts = json.load(sys.stdin)
read = sentence_piece if path.endswith(".model") else hugging_face
print(json.dumps(list(read(path, texts))))
