"""Ids from Hugging Face's `tokenizers`, to compare ours with.

    python3 wordpiece_oracle.py TOKENIZER_JSON < inputs.jsonl > ids.jsonl

Each input line is a JSON string; each output line is the JSON list of its ids, frame included, nothing cut or padded.
"""

import json
import sys

from tokenizers import Tokenizer


def main() -> None:
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = [json.loads(line) for line in sys.stdin.buffer]
    for encoding in tokenizer.encode_batch(texts):
        print(json.dumps(encoding.ids))


if __name__ == "__main__":
    main()
