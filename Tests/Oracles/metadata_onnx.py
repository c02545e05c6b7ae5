"""Writes ONNX models with the package `onnx`, and reads with it what a model states.

Usage: python3 metadata_onnx.py FILE.onnx < {"make": true} > answer.json
With "make" the file is written first: open, named and fixed dimensions, types that are no tensors, weights within
and beside the model, graphs within the graph, a function.
"""

import json
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

path = sys.argv[1]


def external(name, values, location, offset):
    """A tensor whose bytes somebody else writes."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=values.shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in [("location", location), ("offset", offset), ("length", values.nbytes)]:
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def make():
    rng = np.random.default_rng(1)
    weight = rng.standard_normal((4, 8)).astype(np.float32)
    far = rng.standard_normal((8, 16)).astype(np.float32)
    with open(path + ".data", "wb") as file:
        file.write(bytes(64) + far.tobytes())
    branch = helper.make_graph(
        [helper.make_node("Identity", ["branch_weight"], ["branch_out"])],
        "branch",
        [],
        [helper.make_tensor_value_info("branch_out", TensorProto.FLOAT, [2])],
        [numpy_helper.from_array(np.ones(2, np.float32), "branch_weight")],
    )
    constant = helper.make_node(
        "Constant", [], ["c"], value=external("value", np.ones((3, 3), np.float32), "more.data", 0)
    )
    nodes = [
        helper.make_node("MatMul", ["x", "weight"], ["y"]),
        constant,
        helper.make_node("If", ["flag"], ["z"], then_branch=branch, else_branch=branch),
    ]
    values = numpy_helper.from_array(np.array([1.5, 2.5], np.float32), "sparse")
    indices = numpy_helper.from_array(np.array([3, 9], np.int64), "sparse_indices")
    sequence = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.INT64, None))
    table = helper.make_map_type_proto(TensorProto.STRING, helper.make_tensor_type_proto(TensorProto.DOUBLE, []))
    graph = helper.make_graph(
        nodes,
        "maker",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", None, 4]),
            helper.make_tensor_value_info("flag", TensorProto.BOOL, []),
            helper.make_tensor_value_info("any", TensorProto.BFLOAT16, None),
            helper.make_value_info("list", sequence),
            helper.make_value_info("table", table),
            # As old models do: a weight among the inputs.
            helper.make_tensor_value_info("weight", TensorProto.FLOAT, [4, 8]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", None, 8]),
            helper.make_tensor_value_info("z", TensorProto.FLOAT, [2]),
        ],
        [
            numpy_helper.from_array(weight, "weight"),
            external("far", far, path.split("/")[-1] + ".data", 64),
            numpy_helper.from_array(np.array([1, 2, 3], np.int64), "ids"),
            numpy_helper.from_array(np.float16(2), "scalar"),
            helper.make_tensor("quarter", TensorProto.INT4, [5], [1, 2, 3, -4, 5]),
            helper.make_tensor("words", TensorProto.STRING, [2], [b"a", b"b"]),
        ],
        doc_string="graph documentation",
        sparse_initializer=[helper.make_sparse_tensor(values, indices, [10])],
    )
    function = helper.make_function("local", "F", ["a"], ["b"], [constant], [helper.make_opsetid("", 21)])
    model = helper.make_model(
        graph,
        functions=[function],
        opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)],
        producer_name="oracle",
        producer_version="1.2",
        domain="org.example",
        model_version=7,
        doc_string="A model of a test, naïve 猫",
        ir_version=10,
    )
    helper.set_model_props(model, {"model_author": "Somebody", "model_license": "mit", "note": "α"})
    onnx.save(model, path)


names = {
    TensorProto.FLOAT: "float32",
    TensorProto.DOUBLE: "float64",
    TensorProto.FLOAT16: "float16",
    TensorProto.BFLOAT16: "bfloat16",
    TensorProto.BOOL: "bool",
    TensorProto.STRING: "string",
}


def element(number):
    return names.get(number, TensorProto.DataType.Name(number).lower())


def shape(proto):
    kinds = {"dim_value": lambda d: d.dim_value, "dim_param": lambda d: d.dim_param, None: lambda d: None}
    return [kinds[dim.WhichOneof("value")](dim) for dim in proto.dim]


def kind(proto):
    which = proto.WhichOneof("value")
    if which == "tensor_type":
        tensor = proto.tensor_type
        return element(tensor.elem_type), shape(tensor.shape) if tensor.HasField("shape") else None
    if which == "sequence_type":
        return f"sequence({kind(proto.sequence_type.elem_type)[0]})", None
    return f"map({element(proto.map_type.key_type)},{kind(proto.map_type.value_type)[0]})", None


def port(value):
    element_type, dims = kind(value.type)
    answer = {"name": value.name, "elementType": element_type}
    return answer | ({"shape": dims} if dims is not None else {})


def graphs(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                yield from graphs(inner)


if json.load(sys.stdin)["make"]:
    make()
model = onnx.load(path, load_external_data=False)
weights = [
    tensor
    for graph in graphs(model.graph)
    for tensor in list(graph.initializer) + [sparse.values for sparse in graph.sparse_initializer]
]
initial = {tensor.name for tensor in model.graph.initializer}
json.dump(
    {
        "inputs": [port(value) for value in model.graph.input if value.name not in initial],
        "outputs": [port(value) for value in model.graph.output],
        "tensorCount": len(weights),
        "parameterCount": int(sum(np.prod(tensor.dims, dtype=np.int64) for tensor in weights)),
        "name": model.graph.name,
        "description": model.doc_string,
        "version": str(model.model_version),
        "properties": {entry.key: entry.value for entry in model.metadata_props},
        "opset": {entry.domain or "ai.onnx": entry.version for entry in model.opset_import},
        "irVersion": model.ir_version,
        "producer": f"{model.producer_name} {model.producer_version}".strip(),
    },
    sys.stdout,
)
