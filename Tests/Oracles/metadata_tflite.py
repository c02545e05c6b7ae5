"""Writes `.tflite` models with LiteRT's own schema, and reads with it what a model states.

Usage: python3 metadata_tflite.py FILE.tflite < {"make": true} > answer.json
The schema lies beside the library that set-up unpacked. TensorFlow Lite's metadata is written field by field with the
package `flatbuffers`, by metadata_schema.fbs.
"""

import json
import pathlib
import sys

import flatbuffers
import numpy as np

runtimes = pathlib.Path(sys.prefix).parent / "runtimes/litert"
sys.path.insert(0, str(next(runtimes.glob("*/schema_py_generated.py")).parent))
import schema_py_generated as schema  # noqa: E402

path = sys.argv[1]


def described():
    builder = flatbuffers.Builder()
    texts = ["Oracle", "What it does, naïvely", "v3", "Somebody", "Apache-2.0"]
    offsets = [builder.CreateString(text) for text in texts]
    file = builder.CreateString("labels.txt")
    builder.StartObject(7)
    builder.PrependUOffsetTRelativeSlot(0, file, 0)
    file = builder.EndObject()
    builder.StartVector(4, 1, 4)
    builder.PrependUOffsetTRelative(file)
    files = builder.EndVector()
    builder.StartObject(8)
    for field, offset in zip([0, 1, 2, 4, 5, 6], offsets + [files]):
        builder.PrependUOffsetTRelativeSlot(field, offset, 0)
    builder.Finish(builder.EndObject(), file_identifier=b"M001")
    return bytes(builder.Output())


def tensor(name, shape, kind, buffer=0, signature=None, rank=True):
    made = schema.TensorT()
    made.name, made.shape, made.type, made.buffer, made.hasRank = name, shape, kind, buffer, rank
    made.shapeSignature = signature
    return made


def buffer(content=b""):
    made = schema.BufferT()
    made.data = np.frombuffer(content, np.uint8) if content else None
    return made


def graph(name, tensors, inputs, outputs):
    made = schema.SubGraphT()
    made.name, made.tensors, made.inputs, made.outputs, made.operators = name, tensors, inputs, outputs, []
    return made


def ports(pairs):
    made = []
    for name, index in pairs:
        port = schema.TensorMapT()
        port.name, port.tensorIndex = name, index
        made.append(port)
    return made


def make():
    model = schema.ModelT()
    model.version, model.description, model.operatorCodes = 3, "made by an oracle", []
    kinds = schema.TensorType
    weights = np.arange(24, dtype=np.int8).tobytes()
    model.buffers = [buffer(), buffer(weights), buffer(np.ones(6, np.float32).tobytes()), buffer(described())]
    model.buffers.append(buffer(b"1.14.0" + bytes(10)))
    model.subgraphs = [
        graph(
            "main",
            [
                tensor("ids:0", [1, 16], kinds.INT32, signature=[-1, 16]),
                tensor("weights", [4, 6], kinds.INT8, 1),
                tensor("bias", [6], kinds.FLOAT32, 2),
                tensor("out:0", [1, 6], kinds.FLOAT32, signature=[-1, 6]),
                tensor("scalar", [], kinds.BOOL),
                tensor("unranked", [], kinds.STRING, rank=False),
            ],
            [0, 4, 5],
            [3],
        ),
        graph("again", [tensor("weights", [4, 6], kinds.INT8, 1)], [], [0]),
    ]
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = "serving_default", 0
    signature.inputs = ports([("ids", 0), ("flag", 4), ("text", 5)])
    signature.outputs = ports([("scores", 3)])
    model.signatureDefs = [signature]
    model.metadata = []
    for name, index in [("TFLITE_METADATA", 3), ("min_runtime_version", 4)]:
        entry = schema.MetadataT()
        entry.name, entry.buffer = name, index
        model.metadata.append(entry)
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), file_identifier=b"TFL3")
    pathlib.Path(path).write_bytes(bytes(builder.Output()))


types = {value: name.lower() for name, value in vars(schema.TensorType).items() if not name.startswith("_")}
text = lambda value: value.decode() if isinstance(value, bytes) else value  # noqa: E731


def port(entry, name=None):
    signature = entry.shapeSignature
    sizes = entry.shape if signature is None or len(signature) == 0 else signature
    sizes = [] if sizes is None else sizes
    answer = {"name": name or text(entry.name), "elementType": types[entry.type]}
    known = len(sizes) > 0 or entry.hasRank
    return answer | ({"shape": [None if size < 0 else int(size) for size in sizes]} if known else {})


if json.load(sys.stdin)["make"]:
    make()
content = pathlib.Path(path).read_bytes()
model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(content, 0))
main = model.subgraphs[0]
used = {}
for subgraph in model.subgraphs:
    for entry in subgraph.tensors:
        data = model.buffers[entry.buffer].data
        if data is not None and len(data) > 0:
            used.setdefault(entry.buffer, int(np.prod([] if entry.shape is None else entry.shape)))
signatures = model.signatureDefs or []
inputs = [port(main.tensors[index]) for index in main.inputs]
outputs = [port(main.tensors[index]) for index in main.outputs]
if len(signatures) == 1:
    inputs = [port(main.tensors[entry.tensorIndex], text(entry.name)) for entry in signatures[0].inputs]
    outputs = [port(main.tensors[entry.tensorIndex], text(entry.name)) for entry in signatures[0].outputs]
json.dump(
    {
        "inputs": inputs,
        "outputs": outputs,
        "tensorCount": len(used),
        "parameterCount": sum(used.values()),
        "description": text(model.description),
        "signatures": [text(entry.signatureKey) for entry in signatures],
        "entries": [text(entry.name) for entry in model.metadata or []],
    },
    sys.stdout,
)
