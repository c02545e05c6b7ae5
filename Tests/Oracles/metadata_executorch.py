"""Writes a small ExecuTorch program by hand, field by field as program.fbs numbers them, with the package `flatbuffers`.

Usage: python3 metadata_executorch.py FILE.pte < {"make": true} > answer.json
ExecuTorch's own exporter needs PyTorch. The program states numbers about itself, delegates to a back end, keeps
weights in a segment behind the flatbuffer and one tensor in another file. Prints what was put in.
"""

import json
import pathlib
import struct
import sys

import flatbuffers

INT, BOOL, DOUBLE, TENSOR, STRING, INTS = 2, 3, 4, 5, 6, 7
json.load(sys.stdin)
builder = flatbuffers.Builder()


def table(count, slots):
    """`slots` are pairs of a field's number and what adds it."""
    builder.StartObject(count)
    for number, add in slots:
        add(number)
    return builder.EndObject()


def offset(target):
    return lambda number: builder.PrependUOffsetTRelativeSlot(number, target, 0)


def scalar(kind, value):
    # A default that no value here has, so that it is always written.
    return lambda number: getattr(builder, f"Prepend{kind}Slot")(number, value, 0)


def offsets(targets):
    builder.StartVector(4, len(targets), 4)
    for target in reversed(targets):
        builder.PrependUOffsetTRelative(target)
    return builder.EndVector()


def numbers(kind, width, values):
    builder.StartVector(width, len(values), width)
    for value in reversed(values):
        getattr(builder, f"Prepend{kind}")(value)
    return builder.EndVector()


def evalue(kind, content):
    return table(2, [(0, scalar("Uint8", kind)), (1, offset(content))])


def integer(value):
    return evalue(INT, table(1, [(0, scalar("Int64", value))]))


def text(value):
    return evalue(STRING, table(1, [(0, offset(builder.CreateString(value)))]))


def tensor(scalar_type, sizes, dynamism=0, external=None):
    vector = numbers("Int32", 4, sizes)
    slots = [(0, scalar("Int8", scalar_type)), (2, offset(vector)), (8, scalar("Int8", dynamism))]
    if external:
        name = builder.CreateString(external)
        extra = table(3, [(1, offset(name)), (2, scalar("Int8", 1))])
        slots.append((9, offset(extra)))
    return evalue(TENSOR, table(10, slots))


def plan(name, values, inputs, outputs, memory=(0,), backends=()):
    delegates = [table(3, [(0, offset(builder.CreateString(backend)))]) for backend in backends]
    parts = {
        0: builder.CreateString(name),
        2: offsets(values),
        3: numbers("Int32", 4, inputs),
        4: numbers("Int32", 4, outputs),
        7: offsets(delegates),
        8: numbers("Int64", 8, memory),
    }
    return table(9, [(number, offset(target)) for number, target in parts.items()])


ints = table(1, [(0, offset(numbers("Int64", 8, [1, 2])))])
forward = [
    tensor(4, [1, 128], 1),
    integer(5),
    tensor(6, [1, 128, 32], 1),
    tensor(6, [32, 32], external="layer.weight"),
    tensor(5, [3]),
    tensor(15, [2, 2], 2),
    evalue(INTS, ints),
]
plans = [
    plan("forward", forward, [0, 1, 6], [2, 4, 5], (0, 4096, 512), ["XnnpackBackend", "XnnpackBackend"]),
    plan("get_max_seq_len", [integer(2048)], [], [0]),
    plan("get_max_context_len", [integer(4096)], [], [0]),
    plan("use_kv_cache", [evalue(BOOL, table(1, [(0, scalar("Bool", True))]))], [], [0]),
    plan("get_eos_ids", [integer(2), integer(32000)], [], [0, 1]),
    plan("get_scale", [evalue(DOUBLE, table(1, [(0, scalar("Float64", 0.125))]))], [], [0]),
    plan("get_name", [text("naïve")], [], [0]),
]
plans = offsets(plans)
segment = table(2, [(1, offset(numbers("Uint64", 8, [0, 0, 128])))])
slots = [(0, scalar("Uint32", 7)), (1, offset(plans)), (5, offset(segment))]
builder.Finish(table(8, slots), file_identifier=b"ET12")
program = bytes(builder.Output())
# The extended header goes between the identifier and the rest: the root's offset grows by its length.
root = struct.unpack_from("<I", program)[0]
header = 32
body = struct.pack("<I", root + header) + b"ET12" + b"eh00" + struct.pack("<IQQ", 24, len(program) + header, 1024)
content = body + bytes(header - len(body) + 8) + program[8:]
content += bytes(1024 - len(content) % 1024) + bytes(256)
pathlib.Path(sys.argv[1]).write_bytes(content)
json.dump(
    {
        "inputs": [
            {"name": "input0", "shape": [{"from": 0, "to": 1}, {"from": 0, "to": 128}], "elementType": "int64"},
            {"name": "input1", "elementType": "int64"},
            {"name": "input2", "elementType": "sequence(int64)"},
        ],
        "outputs": [
            {
                "name": "output0",
                "shape": [{"from": 0, "to": 1}, {"from": 0, "to": 128}, {"from": 0, "to": 32}],
                "elementType": "float32",
            },
            {"name": "output1", "shape": [3], "elementType": "float16"},
            {"name": "output2", "shape": [None, None], "elementType": "bfloat16"},
        ],
        "tensorCount": 2,
    },
    sys.stdout,
)
