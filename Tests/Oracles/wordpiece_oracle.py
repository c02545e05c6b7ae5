"""Ids from Hugging Face's `tokenizers`, to compare ours with.

    python3 wordpiece_oracle.py TOKENIZER_JSON < texts.json > ids.json

Reads a JSON list of texts, prints a list of their ids, frame included, nothing cut or padded.
"""

import json
import sys

from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file(sys.argv[1])
tokenizer.no_truncation()
tokenizer.no_padding()
json.dump([encoding.ids for encoding in tokenizer.encode_batch(json.load(sys.stdin))], sys.stdout)
