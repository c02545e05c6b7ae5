"""Writes folders with the package `safetensors`, and reads with it what they hold.

Usage: python3 metadata_safetensors.py FOLDER < {"make": true} > answer.json
Makes `whole` (one file with metadata), `sharded` (two shards and their list) and `mlx` (a matrix quantised to 4 bits
as MLX lays it out); prints each folder's tensors and metadata.
"""

import json
import pathlib
import sys

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

folder = pathlib.Path(sys.argv[1])
rng = np.random.default_rng(3)
weight = lambda *shape: rng.standard_normal(shape).astype(np.float32)  # noqa: E731


def write(name, files, configuration, metadata):
    path = folder / name
    path.mkdir()
    for file, tensors in files.items():
        save_file(tensors, path / file, metadata)
    (path / "config.json").write_text(json.dumps(configuration))
    if len(files) > 1:
        places = {tensor: file for file, tensors in files.items() for tensor in tensors}
        size = sum(value.nbytes for tensors in files.values() for value in tensors.values())
        index = {"metadata": {"total_size": size}, "weight_map": places}
        (path / "model.safetensors.index.json").write_text(json.dumps(index))


def make():
    bert = {"architectures": ["BertForSequenceClassification"], "model_type": "bert"}
    bert |= {"max_position_embeddings": 512, "id2label": {"0": "no", "1": "yes"}}
    half = weight(3, 2).astype(np.float16)
    whole = {"a.weight": weight(4, 8), "b": half, "c": np.arange(5), "scalar": np.array(1, np.float32)}
    write("whole", {"model.safetensors": whole}, bert, {"format": "pt", "note": "naïve 猫"})
    qwen = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "max_position_embeddings": 40960}
    shards = {
        "model-00001-of-00002.safetensors": {"embed": weight(16, 8), "norm": weight(8)},
        "model-00002-of-00002.safetensors": {"head": weight(16, 8)},
    }
    write("sharded", shards, qwen, {"format": "pt"})
    # 64 columns of 4 bits in 8 numbers of 32; groups of 32 columns.
    packed = {
        "layer.weight": rng.integers(0, 2**32, (6, 8), np.uint32),
        "layer.scales": weight(6, 2).astype(np.float16),
        "layer.biases": weight(6, 2).astype(np.float16),
        "layer.bias": weight(6).astype(np.float16),
        "norm.weight": weight(64).astype(np.float16),
    }
    qwen |= {"quantization": {"group_size": 32, "bits": 4}}
    write("mlx", {"model.safetensors": packed}, qwen, {"format": "mlx"})


def read(path):
    tensors, metadata = {}, {}
    for file in sorted(path.glob("*.safetensors")):
        with safe_open(file, "np") as opened:
            metadata |= opened.metadata() or {}
            for name in opened.keys():
                part = opened.get_slice(name)
                tensors[name] = {"shape": part.get_shape(), "type": part.get_dtype()}
    count = sum(int(np.prod(entry["shape"], dtype=np.int64)) for entry in tensors.values())
    return {"tensorCount": len(tensors), "parameterCount": count, "properties": metadata}


if json.load(sys.stdin)["make"]:
    make()
json.dump({path.name: read(path) for path in sorted(folder.iterdir()) if path.is_dir()}, sys.stdout)
