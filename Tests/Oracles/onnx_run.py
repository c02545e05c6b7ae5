"""Runs a sentence encoder's ONNX graph in ONNX Runtime, all texts in one padded batch.

Usage: python3 onnx_run.py GRAPH.onnx < ids.json > embeddings.json
Reads a list of token id lists, prints a list of embeddings.
"""

import json
import sys

import numpy as np
import onnxruntime

texts = json.load(sys.stdin)
length = max(len(ids) for ids in texts)
ids = np.zeros((len(texts), length), np.int64)
mask = np.zeros_like(ids)
for row, text in enumerate(texts):
    ids[row, : len(text)] = text
    mask[row, : len(text)] = 1

runtime = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
assert [value.name for value in runtime.get_inputs()] == list(inputs)
assert runtime.get_modelmeta().producer_name == "breeze"
(vectors,) = runtime.run(["sentence_embedding"], inputs)
json.dump(vectors.astype(float).tolist(), sys.stdout)
