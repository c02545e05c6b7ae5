"""Writes a model in three pieces with the package `gguf` of llama.cpp's makers.

Usage: python3 metadata_gguf.py FOLDER < {"make": true} > answer.json
Prints what was put in: the number of tensors and their elements.
"""

import json
import sys

import numpy as np

from gguf_package import GGUFWriter

json.load(sys.stdin)
writer = GGUFWriter(None, "llama", split_max_tensors=2)
writer.add_name("In pieces")
writer.add_author("Somebody")
writer.add_description("A model of a test, naïvely")
writer.add_version("1.5")
writer.add_license("mit")
writer.add_context_length(2048)
shapes = [(4, 32), (8, 32), (32,), (2, 2, 32), (1, 64)]
for index, shape in enumerate(shapes):
    writer.add_tensor(f"tensor.{index}", np.full(shape, index, np.float16))
writer.write_header_to_file(__import__("pathlib").Path(sys.argv[1]) / "model.gguf")
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
json.dump(
    {"tensorCount": len(shapes), "parameterCount": int(sum(np.prod(shape) for shape in shapes))},
    sys.stdout,
)
