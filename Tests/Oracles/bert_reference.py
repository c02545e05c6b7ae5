"""A BERT sentence encoder in numpy (float64), straight from a model folder: the reference for the written graphs.

Usage: python3 bert_reference.py MODEL_DIR < ids.json > embeddings.json
Reads a list of token id lists, prints a list of embeddings. One text at a time, so that nothing is ever padded.
"""

import json
import math
import os
import sys

import numpy as np
from safetensors.numpy import load_file

folder = sys.argv[1]


def read(name, default=None):
    path = os.path.join(folder, name)
    if default is not None and not os.path.exists(path):
        return default
    with open(path, encoding="utf-8") as file:
        return json.load(file)


config = read("config.json")
weights = {name.removeprefix("bert."): value for name, value in load_file(folder + "/model.safetensors").items()}
modules = [module["type"].split(".")[-1] for module in read("modules.json", [])]
pooling = read("1_Pooling/config.json", {"pooling_mode_mean_tokens": True})
heads = config["num_attention_heads"]
erf = np.vectorize(math.erf, otypes=[np.float64])


def weight(name):
    return weights[name].astype(np.float64)


def linear(x, name):
    return x @ weight(name + ".weight").T + weight(name + ".bias")


def norm(x, name):
    centered = x - x.mean(-1, keepdims=True)
    variance = (centered**2).mean(-1, keepdims=True)
    scaled = centered / np.sqrt(variance + config["layer_norm_eps"])
    return scaled * weight(name + ".weight") + weight(name + ".bias")


def activate(x):
    kind = config["hidden_act"]
    if kind == "gelu":
        return x * 0.5 * (1 + erf(x / math.sqrt(2)))
    if kind in ("gelu_new", "gelu_pytorch_tanh"):
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    if kind == "relu":
        return np.maximum(x, 0)
    raise ValueError(kind)


def attend(x, name):
    query, key, value = (
        linear(x, name + part).reshape(len(x), heads, -1).swapaxes(0, 1) for part in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1])
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    scores /= scores.sum(-1, keepdims=True)
    return (scores @ value).swapaxes(0, 1).reshape(len(x), -1)


def embed(ids):
    x = weight("embeddings.word_embeddings.weight")[ids]
    x = x + weight("embeddings.position_embeddings.weight")[: len(ids)]
    x = norm(x + weight("embeddings.token_type_embeddings.weight")[0], "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}."
        y = linear(attend(x, name + "attention.self."), name + "attention.output.dense")
        x = norm(x + y, name + "attention.output.LayerNorm")
        y = linear(activate(linear(x, name + "intermediate.dense")), name + "output.dense")
        x = norm(x + y, name + "output.LayerNorm")
    vector = x[0] if pooling.get("pooling_mode_cls_token") else x.mean(0)
    return vector / np.linalg.norm(vector) if "Normalize" in modules else vector


json.dump([embed(ids).tolist() for ids in json.load(sys.stdin)], sys.stdout)
