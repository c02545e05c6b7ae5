"""Runs an encoder's ONNX graph in ONNX Runtime, all texts in one padded batch.

Usage: python3 onnx_run.py GRAPH.onnx < texts.json > answers.json
Reads a list of texts, each a list of token ids or {"ids": […], "types": […]}; prints the rows of the graph's output.
"""

import json
import sys

import numpy as np
import onnxruntime

texts = [text if isinstance(text, dict) else {"ids": text} for text in json.load(sys.stdin)]
length = max(len(text["ids"]) for text in texts)
ids = np.zeros((len(texts), length), np.int64)
mask = np.zeros_like(ids)
types = np.zeros_like(ids)
for row, text in enumerate(texts):
    count = len(text["ids"])
    ids[row, :count] = text["ids"]
    mask[row, :count] = 1
    if "types" in text:
        types[row, :count] = text["types"]

runtime = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
names = [value.name for value in runtime.get_inputs()]
assert names in (list(inputs), list(inputs)[:2])
assert runtime.get_modelmeta().producer_name == "breeze"
(output,) = runtime.get_outputs()
assert output.name in ("sentence_embedding", "logits")
(rows,) = runtime.run([output.name], {name: inputs[name] for name in names})
assert list(rows.shape[1:]) == output.shape[1:]
json.dump(rows.astype(float).tolist(), sys.stdout)
