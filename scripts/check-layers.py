#!/usr/bin/env python3
"""Fails where the code leaves the layers that ARCHITECTURE.md draws. Called by `make lint`.

SwiftPM lets an import of an undeclared sibling through whenever that sibling happens to be built already, so
the arrows in Package.swift are only a promise until something checks them.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

# From the top; a target depends only on targets in rows below its own. "Runners" and "Native" stand for the
# targets in those folders.
LAYERS = [
    {"breeze", "breeze-benchmark", "breeze-mail-index"},
    {"BreezeHub"},
    {"BreezeSchemeHandler"},
    {"BreezeSchemeStore"},
    {"BreezeMailJudgement"},
    {"BreezeMailSearch"},
    {"BreezeMailParser", "BreezeMailIndex", "BreezeMailClassifier"},
    {"BreezeMailSigns"},
    {"BreezeMail", "BreezeMailTags", "BreezeAssistant"},
    {"BreezeKitPairing"},
    {"BreezeKit"},
    {"BreezeSessions"},
    {"BreezeMacros"},
    {"BreezeEngine"},
    {"Runners"},
    {"BreezeCatalog"},
    {"BreezeModels"},
    {"BreezeTokenizers"},
    {"BreezeDownloads", "BreezeAccess", "BreezeService", "BreezeVectors", "BreezeURLSessionTransport"},
    {
        "BreezeWire", "BreezeStore", "BreezeSchema", "BreezeWorker", "BreezeTransport", "BreezeArchives",
        "BreezeSecrets", "BreezeFiles", "BreezeOpenAPI", "BreezePanel", "BreezeScheme",
        "BreezeLocalHTTP", "BreezeOpeners",
    },
    {"BreezeCore"},
    {"Native"},
]
# The benchmark measures concrete runners, so it names them too.
COMPOSITION_ROOTS = ("breeze", "breeze-benchmark")
# Fetched by everybody who depends on this package, so everything else stands behind a trait.
UNGATED_PACKAGES = {"swift-log"}
# What comes with the toolchain or with the system: nobody declares it.
SYSTEM_MODULES = set(
    """
    Swift _Concurrency _StringProcessing Synchronization Observation RegexBuilder Dispatch Testing XCTest
    Foundation FoundationEssentials FoundationNetworking FoundationXML FoundationInternationalization
    Glibc Musl Darwin Android PackageDescription CompilerPluginSupport
    os OSLog Accelerate AppKit AVFoundation Combine Contacts CoreGraphics CoreImage CoreML CoreText CryptoKit
    EventKit FoundationModels ImageIO IOKit LocalAuthentication MachO Metal NaturalLanguage Network PDFKit
    Photos QuartzCore Security Speech SwiftUI System UIKit UniformTypeIdentifiers UserNotifications Vision
    """.split()
)
MAX_LINES = 400

BLOCKS = re.compile(r'"""[\s\S]*?"""|/\*[\s\S]*?\*/')
IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?:@\w+(?:\([^)\n]*\))?[ \t]+)*"
    r"(?:(?:public|package|internal|fileprivate|private)[ \t]+)?"
    r"import[ \t]+(?:(?:struct|class|enum|actor|protocol|typealias|func|let|var)[ \t]+)?(\w+)",
    re.M,
)


def imports(source):
    """The top modules that a Swift file imports; imports inside block comments and long strings are text."""
    return IMPORT.findall(BLOCKS.sub("", source))


def folder(target):
    kind = "Tests" if target["type"] == "test" else "Sources"
    return pathlib.Path(target.get("path") or f"{kind}/{target['name']}")


def group(target):
    """What stands for a target in LAYERS."""
    parts = folder(target).parts
    return parts[1] if len(parts) > 2 and parts[1] in ("Runners", "Native") else target["name"]


def row(target):
    return next((index for index, names in enumerate(LAYERS) if group(target) in names), None)


def declared(target):
    """What a target may import: sibling targets, and products, which are named like their modules."""
    return {dependency[next(iter(dependency))][0] for dependency in target["dependencies"]}


def manifest_problems(targets):
    """Dependencies in Package.swift that point the wrong way."""
    for name, target in targets.items():
        if target["type"] == "test" or folder(target).parts[0] in ("Tests", "Examples"):
            continue
        if row(target) is None:
            yield f"Package.swift: {name} has no place in LAYERS of scripts/check-layers.py"
            continue
        for other in sorted(declared(target) & targets.keys()):
            below = row(targets[other])
            among_runners = group(target) == group(targets[other])
            if below is not None and below <= row(target) and not among_runners:
                yield f"Package.swift: {name} depends on {other}, which does not stand below it"
            if group(targets[other]) == "Runners" and group(target) not in ("Runners", *COMPOSITION_ROOTS):
                yield f"Package.swift: {name} depends on {other}: only {COMPOSITION_ROOTS[0]} names runners"
        for dependency in target["dependencies"]:
            product, package, *_, condition = dependency.get("product") or ("", "", None)
            if package and package not in UNGATED_PACKAGES and not (condition or {}).get("traits"):
                yield f"Package.swift: {name} uses {product} of {package} without a trait's condition"


def source_problems(targets, root):
    """Imports that Package.swift does not declare, and files too long to be read at once."""
    for name, target in targets.items():
        allowed = declared(target) | {name} | SYSTEM_MODULES
        for file in sorted((root / folder(target)).rglob("*.swift")):
            text = file.read_text()
            shown = file.relative_to(root)
            for module in sorted(set(imports(text)) - allowed):
                if module in targets:
                    yield f"{shown}: imports {module}, which Package.swift does not declare for {name}"
                else:
                    yield f"{shown}: imports {module}, no product that {name} declares"
            if text.count("\n") > MAX_LINES:
                lines = text.count("\n")
                yield f"{shown}: {lines} lines (over {MAX_LINES}: split it where a reader would)"


def check(manifest, root):
    targets = {target["name"]: target for target in manifest["targets"]}
    return [*manifest_problems(targets), *source_problems(targets, root)]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    # A scratch path of its own, so that it does not wait for a build that is going on.
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "package", "--package-path", root, "--scratch-path", scratch, "dump-package"]
        manifest = json.loads(subprocess.check_output(command))
    problems = check(manifest, root)
    print("\n".join(problems) or f"{len(manifest['targets'])} targets: layers and file sizes hold")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
