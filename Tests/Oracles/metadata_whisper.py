"""Writes a small Whisper model as whisper.cpp's convert-pt-to-ggml.py lays it out, with random weights.

Usage: python3 metadata_whisper.py FILE.bin < {"make": true} > answer.json
Prints what was put in: the number of tensors and their elements.
"""

import json
import struct
import sys

import numpy as np

json.load(sys.stdin)
rng = np.random.default_rng(5)
hparams = [51865, 1500, 64, 4, 4, 448, 64, 4, 4, 80, 1]
tensors = {
    "decoder.positional_embedding": (448, 64),
    "encoder.conv1.weight": (64, 80, 3),
    "encoder.conv1.bias": (64, 1),
    "encoder.blocks.0.attn.query.weight": (64, 64),
    "decoder.ln.bias": (64,),
}
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("i", 0x67676D6C))
    file.write(struct.pack("11i", *hparams))
    filters = rng.standard_normal((80, 201)).astype(np.float32)
    file.write(struct.pack("ii", *filters.shape) + filters.tobytes())
    tokens = [bytes([index % 256]) * (1 + index % 7) for index in range(500)]
    file.write(struct.pack("i", len(tokens)))
    for token in tokens:
        file.write(struct.pack("i", len(token)) + token)
    for name, shape in tensors.items():
        # Vectors and biases stay F32, as in the converter.
        kind = 0 if len(shape) < 2 or name.endswith(("bias", "embedding")) else 1
        data = rng.standard_normal(shape).astype([np.float32, np.float16][kind])
        label = name.encode()
        file.write(struct.pack("iii", len(shape), len(label), kind))
        file.write(struct.pack(f"{len(shape)}i", *reversed(shape)))
        file.write(label + data.tobytes())
json.dump(
    {"tensorCount": len(tensors), "parameterCount": int(sum(np.prod(shape) for shape in tensors.values()))},
    sys.stdout,
)
