"""Encoders of the BERT family in numpy (float64), straight from a model folder: the reference for the written graphs.

Usage: python3 bert_reference.py MODEL_DIR < texts.json > answers.json
Reads a list of texts, each a list of token ids or {"ids": […], "types": […]}; prints a list of answers: embeddings,
or logits where config.json names a sequence classifier and there is no modules.json.
One text at a time, so that nothing is ever padded.
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
kind = config["model_type"]
weights = {name.removeprefix(kind + "."): value for name, value in load_file(folder + "/model.safetensors").items()}
modules = [module["type"].split(".")[-1] for module in read("modules.json", [])]
pooling = read("1_Pooling/config.json", {"pooling_mode_mean_tokens": True})
classifies = not modules and config.get("architectures", [""])[0].endswith("ForSequenceClassification")
heads = config["n_heads" if kind == "distilbert" else "num_attention_heads"]
layers = config["n_layers" if kind == "distilbert" else "num_hidden_layers"]
activation = config["activation" if kind == "distilbert" else "hidden_act"]
epsilon = 1e-12 if kind == "distilbert" else config["layer_norm_eps"]
erf = np.vectorize(math.erf, otypes=[np.float64])


def weight(name):
    return weights[name].astype(np.float64)


def linear(x, name):
    return x @ weight(name + ".weight").T + weight(name + ".bias")


def norm(x, name):
    centered = x - x.mean(-1, keepdims=True)
    variance = (centered**2).mean(-1, keepdims=True)
    scaled = centered / np.sqrt(variance + epsilon)
    return scaled * weight(name + ".weight") + weight(name + ".bias")


def activate(x):
    if activation == "gelu":
        return x * 0.5 * (1 + erf(x / math.sqrt(2)))
    if activation in ("gelu_new", "gelu_pytorch_tanh"):
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    if activation == "relu":
        return np.maximum(x, 0)
    raise ValueError(activation)


def relative_bias(length):
    """MPNet's, [heads, query, key]: Hugging Face's relative_position_bucket, in float32 as there."""
    if kind != "mpnet":
        return 0
    place = np.arange(length)
    n = place[:, None] - place[None, :]  # the query's place less the key's
    bucket = np.where(n < 0, 16, 0)
    n = np.abs(n)
    ratio = np.log(np.maximum(n, 1).astype(np.float32) / np.float32(8)) / np.float32(math.log(128 / 8))
    far = np.minimum(8 + (ratio * np.float32(8)).astype(np.int64), 15)
    bucket = bucket + np.where(n < 8, n, far)
    return weight("encoder.relative_attention_bias.weight")[bucket].transpose(2, 0, 1)


def attend(x, query, key, value, bias):
    query, key, value = (
        linear(x, name).reshape(len(x), heads, -1).swapaxes(0, 1) for name in (query, key, value)
    )
    scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1]) + bias
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    scores /= scores.sum(-1, keepdims=True)
    return (scores @ value).swapaxes(0, 1).reshape(len(x), -1)


def bert_layer(x, name, bias):
    parts = (name + "attention.self." + part for part in ("query", "key", "value"))
    y = linear(attend(x, *parts, bias), name + "attention.output.dense")
    x = norm(x + y, name + "attention.output.LayerNorm")
    y = linear(activate(linear(x, name + "intermediate.dense")), name + "output.dense")
    return norm(x + y, name + "output.LayerNorm")


def mpnet_layer(x, name, bias):
    parts = (name + "attention.attn." + part for part in "qkv")
    x = norm(x + linear(attend(x, *parts, bias), name + "attention.attn.o"), name + "attention.LayerNorm")
    y = linear(activate(linear(x, name + "intermediate.dense")), name + "output.dense")
    return norm(x + y, name + "output.LayerNorm")


def distilbert_layer(x, name, bias):
    parts = (name + "attention." + part for part in ("q_lin", "k_lin", "v_lin"))
    x = norm(x + linear(attend(x, *parts, bias), name + "attention.out_lin"), name + "sa_layer_norm")
    y = linear(activate(linear(x, name + "ffn.lin1")), name + "ffn.lin2")
    return norm(x + y, name + "output_layer_norm")


def classify(first):
    if kind == "bert":
        return linear(np.tanh(linear(first, "pooler.dense")), "classifier")
    if kind == "distilbert":
        return linear(np.maximum(linear(first, "pre_classifier"), 0), "classifier")
    return linear(np.tanh(linear(first, "classifier.dense")), "classifier.out_proj")


def answer(text):
    ids = text["ids"] if isinstance(text, dict) else text
    first = 2 if kind == "mpnet" else 0  # MPNet counts positions from its padding id, 1, plus 1
    x = weight("embeddings.word_embeddings.weight")[ids]
    x = x + weight("embeddings.position_embeddings.weight")[first : first + len(ids)]
    if kind == "bert":
        types = text["types"] if isinstance(text, dict) else [0] * len(ids)
        x = x + weight("embeddings.token_type_embeddings.weight")[types]
    x = norm(x, "embeddings.LayerNorm")
    layer = {"bert": bert_layer, "distilbert": distilbert_layer, "mpnet": mpnet_layer}[kind]
    path = "transformer" if kind == "distilbert" else "encoder"
    bias = relative_bias(len(ids))
    for number in range(layers):
        x = layer(x, f"{path}.layer.{number}.", bias)
    if classifies:
        return classify(x[0])
    vector = x[0] if pooling.get("pooling_mode_cls_token") else x.mean(0)
    return vector / np.linalg.norm(vector) if "Normalize" in modules else vector


json.dump([answer(text).tolist() for text in json.load(sys.stdin)], sys.stdout)
