"""Pairs of texts as Hugging Face's `tokenizers` encodes and cuts them, to compare ours with.

    python3 wordpiece_pairs_oracle.py TOKENIZER_JSON < pairs.json > encodings.json

Reads a JSON list of {"first", "second", "limit", "strategy"}, prints for each {"ids", "types", "whole"},
`whole` being how many ids the pair has uncut. `ids` and `types` are missing where the reference refuses the
limit.
"""

import json
import sys

from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file(sys.argv[1])
tokenizer.no_padding()


def answer(pair):
    tokenizer.no_truncation()
    whole = len(tokenizer.encode(pair["first"], pair["second"]).ids)
    tokenizer.enable_truncation(pair["limit"], strategy=pair["strategy"])
    try:
        encoding = tokenizer.encode(pair["first"], pair["second"])
    except Exception as error:
        # The one refusal that has an answer on our side: the text to cut is shorter than the cut.
        if "too short" not in str(error):
            raise
        return {"whole": whole}
    return {"ids": encoding.ids, "types": encoding.type_ids, "whole": whole}


json.dump([answer(pair) for pair in json.load(sys.stdin)], sys.stdout)
