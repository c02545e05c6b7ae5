"""Reads a GGUF file with the package `gguf` of llama.cpp's makers.

Usage: python3 gguf_read.py FILE.gguf < names.json > answer.json
Reads a list of tensors; prints version, alignment and data offset, every key with its types and value, every
tensor's shape (innermost first), type, offset and size, and of the tensors that were asked for the numbers, and
their bytes in each of the types that Breeze writes.
"""

import json
import sys

from gguf_package import GGMLQuantizationType, GGUFReader, quants


def encoded(values):
    """In hexadecimal digits; F16 by numpy, since the package has none of its own."""
    kinds = ["BF16"] + (["Q8_0"] if values.shape[-1] % 32 == 0 else [])
    found = {kind: quants.quantize(values, GGMLQuantizationType[kind]).tobytes().hex() for kind in kinds}
    return found | {"F16": values.astype("<f2").tobytes().hex()}


reader = GGUFReader(sys.argv[1])
wanted = json.load(sys.stdin)
json.dump(
    {
        "version": int(reader.fields["GGUF.version"].contents()),
        "alignment": int(reader.alignment),
        "dataOffset": int(reader.data_offset),
        "keys": {
            name: {"types": [kind.name.lower() for kind in field.types], "value": json.dumps(field.contents())}
            for name, field in reader.fields.items()
            if not name.startswith("GGUF.")
        },
        "tensors": [
            {
                "name": tensor.name,
                "shape": [int(size) for size in tensor.shape],
                "type": tensor.tensor_type.name,
                "offset": int(tensor.data_offset) - int(reader.data_offset),
                "byteCount": int(tensor.n_bytes),
                "values": quants.dequantize(tensor.data, tensor.tensor_type).flatten().tolist()
                if tensor.name in wanted
                else None,
                "encoded": encoded(quants.dequantize(tensor.data, tensor.tensor_type))
                if tensor.name in wanted
                else None,
            }
            for tensor in reader.tensors
        ],
    },
    sys.stdout,
)
