"""Writes a GGUF file with the package `gguf` of llama.cpp's makers: every kind of value, and every type of tensor.

Usage: python3 gguf_write.py FILE.gguf < input.json > answer.json
Reads {"strings": [...]}; prints for every tensor type the name, number, block size and bytes of a block.
"""

import json
import sys

import numpy as np

from gguf_package import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFValueType, GGUFWriter

strings = json.load(sys.stdin)["strings"]
writer = GGUFWriter(sys.argv[1], "test")
writer.add_uint8("a.uint8", 2**8 - 1)
writer.add_int8("a.int8", -(2**7))
writer.add_uint16("a.uint16", 2**16 - 1)
writer.add_int16("a.int16", -(2**15))
writer.add_uint32("a.uint32", 2**32 - 1)
writer.add_int32("a.int32", -(2**31))
writer.add_uint64("a.uint64", 2**64 - 1)
writer.add_int64("a.int64", -(2**63))
writer.add_float32("a.float32", 0.1)
writer.add_float64("a.float64", 0.1)
writer.add_bool("a.bool", True)
writer.add_string("a.string", "naïve 猫")
writer.add_array("a.strings", strings)
writer.add_array("a.integers", [-1, 0, 7])
writer.add_array("a.floats", [0.5, -2.0])
writer.add_key_value("a.words", [1, 65535], GGUFValueType.ARRAY, sub_type=GGUFValueType.UINT16)
writer.add_custom_alignment(64)
values = np.arange(512, dtype=np.float32).reshape(2, 256) / 8
sizes = []
for kind in GGMLQuantizationType:
    block, size = GGML_QUANT_SIZES[kind]
    sizes.append({"name": kind.name, "code": int(kind), "block": block, "bytes": size})
    raw = np.full((2, 256 // block * size), int(kind), np.uint8)
    if kind == GGMLQuantizationType.F32:
        writer.add_tensor("f32", values)
    else:
        writer.add_tensor(kind.name.lower(), raw, raw_dtype=kind)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
json.dump(sizes, sys.stdout)
