"""Writes Core ML models with coremltools' schema, and reads with it what they state.

Usage: python3 metadata_coreml.py FOLDER < {"make": true} > answer.json
Makes net.mlmodel (a neural network: arrays, ranges, an image, a dictionary), program.mlpackage (an ML program with
its weights in a file) and functions.mlmodel (two functions, a state); prints what each states, by name.
"""

import json
import pathlib
import sys

from coremltools.proto import FeatureTypes_pb2, MIL_pb2, Model_pb2

folder = pathlib.Path(sys.argv[1])
Array = FeatureTypes_pb2.ArrayFeatureType


def describe(model, version):
    model.specificationVersion = version
    metadata = model.description.metadata
    metadata.shortDescription = "Says what is in a picture, naïvely"
    metadata.versionString = "2.1"
    metadata.author = "Somebody"
    metadata.license = "mit"
    metadata.userDefined["com.example.key"] = "αβ"
    metadata.userDefined["other"] = "x"


def array(feature, name, shape, kind):
    feature.name = name
    feature.type.multiArrayType.shape.extend(shape)
    feature.type.multiArrayType.dataType = kind
    return feature.type.multiArrayType


def net():
    model = Model_pb2.Model()
    describe(model, 4)
    array(model.description.input.add(), "tokens", [1, 128], Array.INT32)
    ranged = array(model.description.input.add(), "ranged", [1, 8, 4], Array.FLOAT16)
    for lower, upper in [(1, 1), (1, -1), (2, 6)]:
        ranged.shapeRange.sizeRanges.add(lowerBound=lower, upperBound=upper)
    several = array(model.description.input.add(), "several", [1, 3], Array.FLOAT32)
    for shape in [[1, 3], [1, 9]]:
        several.enumeratedShapes.shapes.add(shape=shape)
    image = model.description.input.add(name="image")
    image.type.imageType.width, image.type.imageType.height = 224, 160
    image.type.imageType.colorSpace = FeatureTypes_pb2.ImageFeatureType.RGB
    output = model.description.output.add(name="classProbability")
    output.type.dictionaryType.stringKeyType.SetInParent()
    model.description.output.add(name="classLabel").type.stringType.SetInParent()
    model.description.output.add(name="list").type.sequenceType.int64Type.SetInParent()
    model.description.output.add(name="number").type.doubleType.SetInParent()
    model.description.predictedFeatureName = "classLabel"
    model.isUpdatable = True
    layer = model.neuralNetworkClassifier.layers.add(name="a", input=["tokens"], output=["number"])
    layer.innerProduct.inputChannels = 3
    layer.innerProduct.weights.floatValue.extend([0.5] * 300)
    return model


def value(shape, name=None):
    made = MIL_pb2.Value()
    kind = made.type.tensorType
    kind.dataType, kind.rank = MIL_pb2.FLOAT16, len(shape)
    for size in shape:
        kind.dimensions.add().constant.size = size
    if name:
        made.blobFileValue.fileName, made.blobFileValue.offset = name, 64
    else:
        made.immediateValue.tensor.floats.values.extend([1])
    return made


def program():
    model = Model_pb2.Model()
    describe(model, 8)
    array(model.description.input.add(), "x", [1, 4], Array.FLOAT32)
    array(model.description.output.add(), "y", [1, 6], Array.DOUBLE)
    function = model.mlProgram.functions["main"]
    function.opset = "CoreML7"
    block = function.block_specializations["CoreML7"]
    weights = "@model_path/weights/weight.bin"
    for shape in [[4, 6], [6]]:
        operation = block.operations.add(type="const")
        operation.attributes["val"].CopyFrom(value(shape, weights))
    argument = block.operations.add(type="linear").inputs["weight"].arguments.add()
    argument.value.CopyFrom(value([2, 3, 5], weights))
    inner = block.operations.add(type="cond").blocks.add().operations.add(type="const")
    inner.attributes["val"].CopyFrom(value([7], weights))
    inner.attributes["name"].CopyFrom(value([]))
    model.mlProgram.version = 1
    return model


def functions():
    model = Model_pb2.Model()
    describe(model, 9)
    for name in ["prefill", "decode"]:
        function = model.description.functions.add(name=name)
        array(function.input.add(), f"{name}_in", [1, 2], Array.INT8)
        array(function.output.add(), f"{name}_out", [1], Array.FLOAT16)
        state = function.state.add(name="cache")
        state.type.stateType.arrayType.shape.extend([1, 64])
        state.type.stateType.arrayType.dataType = Array.FLOAT16
    model.description.defaultFunctionName = "prefill"
    model.mlProgram.version = 1
    return model


def make():
    (folder / "net.mlmodel").write_bytes(net().SerializeToString())
    (folder / "functions.mlmodel").write_bytes(functions().SerializeToString())
    data = folder / "program.mlpackage/Data/com.apple.CoreML"
    (data / "weights").mkdir(parents=True)
    (data / "model.mlmodel").write_bytes(program().SerializeToString())
    (data / "weights/weight.bin").write_bytes(bytes(256))
    author = "com.apple.CoreML"
    items = {
        "A0E0": {"author": author, "description": "CoreML Model Weights", "name": "weights"},
        "B1F1": {"author": author, "description": "CoreML Model Specification", "name": "model.mlmodel"},
    }
    for item in items.values():
        item["path"] = f"{author}/{item['name']}"
    manifest = {"fileFormatVersion": "1.0.0", "itemInfoEntries": items, "rootModelIdentifier": "B1F1"}
    (folder / "program.mlpackage/Manifest.json").write_text(json.dumps(manifest))


kinds = {"FLOAT32": "float32", "FLOAT16": "float16", "DOUBLE": "float64", "INT32": "int32", "INT8": "int8"}


def bounds(lower, upper):
    if lower == upper:
        return lower
    return {"from": lower} | ({"to": upper} if upper >= 0 else {})


def array_shape(kind):
    which = kind.WhichOneof("ShapeFlexibility")
    if which == "shapeRange":
        return [bounds(size.lowerBound, size.upperBound) for size in kind.shapeRange.sizeRanges]
    if which == "enumeratedShapes":
        return [bounds(min(sizes), max(sizes)) for sizes in zip(*[s.shape for s in kind.enumeratedShapes.shapes])]
    return list(kind.shape)


def port(feature):
    which = feature.type.WhichOneof("Type")
    kind = getattr(feature.type, which)
    answer = {"name": feature.name}
    if which == "multiArrayType":
        return answer | {"shape": array_shape(kind), "elementType": kinds[Array.ArrayDataType.Name(kind.dataType)]}
    if which == "imageType":
        return answer | {"shape": [kind.height, kind.width], "elementType": "image"}
    if which == "dictionaryType":
        key = {"int64KeyType": "int64", "stringKeyType": "string"}[kind.WhichOneof("KeyType")]
        return answer | {"elementType": f"map({key},float64)"}
    if which == "sequenceType":
        return answer | {"elementType": f"sequence({kind.WhichOneof('Type').removesuffix('Type')})"}
    scalar = {"int64Type": "int64", "doubleType": "float64", "stringType": "string"}
    return answer | {"shape": [], "elementType": scalar[which]}


def values(message):
    """Every blob value anywhere in an ML program."""
    if isinstance(message, MIL_pb2.Value) and message.HasField("blobFileValue"):
        yield message
    for field, content in message.ListFields():
        if field.message_type is None:
            continue
        several = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        if not several:
            yield from values(content)
        elif field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type:
                for inner in content.values():
                    yield from values(inner)
        else:
            for inner in content:
                yield from values(inner)


def read(path):
    model = Model_pb2.Model()
    model.ParseFromString(path.read_bytes())
    description = model.description
    first = description.functions[0] if description.functions else description
    kind = model.WhichOneof("Type")
    blobs = list(values(model.mlProgram)) if kind == "mlProgram" else []
    count = 0
    for blob in blobs:
        product = 1
        for dimension in blob.type.tensorType.dimensions:
            product *= dimension.constant.size
        count += product
    return {
        "inputs": [port(feature) for feature in first.input],
        "outputs": [port(feature) for feature in first.output],
        "modelType": kind,
        "tensorCount": len(blobs),
        "parameterCount": count,
        "description": description.metadata.shortDescription,
        "version": description.metadata.versionString,
        "author": description.metadata.author,
        "license": description.metadata.license,
        "properties": dict(description.metadata.userDefined),
        "specificationVersion": model.specificationVersion,
    }


if json.load(sys.stdin)["make"]:
    make()
files = {
    "net": folder / "net.mlmodel",
    "program": folder / "program.mlpackage/Data/com.apple.CoreML/model.mlmodel",
    "functions": folder / "functions.mlmodel",
}
json.dump({name: read(path) for name, path in files.items()}, sys.stdout)
