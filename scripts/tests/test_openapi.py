import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HUB = ROOT / "Sources/Hub"
DOCUMENT = json.loads((ROOT / "Sources/OpenAPI/openapi.json").read_text(encoding="utf-8"))
METHODS = ("get", "post", "put", "delete", "patch")
ROUTE = re.compile(r"\b(\w+)\s*\.(get|post|put|delete|patch)\(\s*\"([^\"]*)\"")
GROUP = re.compile(r"\blet\s+(\w+)\s*=\s*\w+\s*\.group\(\s*\"([^\"]+)\"")
# A route without a slash in front hangs under the group that is handed to its file.
GROUP_OF_FILES = "/breeze/v1"


def joined(prefix, path):
    """`/v1/models/{id}` for `:id`, with one slash between parts and none at the end."""
    parts = [part for part in f"{prefix}/{path}".split("/") if part]
    return "/" + "/".join(f"{{{part[1:]}}}" if part.startswith(":") else part for part in parts)


def routed():
    found = set()
    for file in sorted(HUB.rglob("*.swift")):
        text = file.read_text(encoding="utf-8")
        groups = dict(GROUP.findall(text))
        for name, method, path in ROUTE.findall(text):
            prefix = "" if path.startswith("/") else GROUP_OF_FILES
            found.add((method, joined(groups.get(name, prefix), path)))
    return found


def references(value):
    if isinstance(value, dict):
        for name, each in value.items():
            if name == "$ref":
                yield each
            else:
                yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


class OpenAPITests(unittest.TestCase):
    def test_every_route_is_described(self):
        described = {(method, path) for path, item in DOCUMENT["paths"].items() for method in METHODS if method in item}
        found = routed()
        self.assertEqual(sorted(found - described), [], "routes that the document lacks")
        missing = described - found
        self.assertEqual(sorted(missing), [], "described, and no route")

    def test_every_reference_leads_somewhere_and_every_component_is_used(self):
        used = set(references(DOCUMENT))
        for each in used:
            place = DOCUMENT
            for part in each.removeprefix("#/").split("/"):
                self.assertIn(part, place, each)
                place = place[part]
        for kind in ("parameters", "headers", "responses", "schemas"):
            for name in DOCUMENT["components"][kind]:
                whole = f"#/components/{kind}/{name}"
                self.assertTrue(any(each == whole or each.startswith(whole + "/") for each in used), f"{whole} is unused")

    def test_operations_have_names_of_their_own_and_all_path_parameters(self):
        names = set()
        for path, item in DOCUMENT["paths"].items():
            shared = item.get("parameters", [])
            for method in METHODS:
                if method not in item:
                    continue
                operation = item[method]
                self.assertNotIn(operation["operationId"], names)
                names.add(operation["operationId"])
                given = [each["$ref"].split("/")[-1] if "$ref" in each else each["name"] for each in shared]
                named = {DOCUMENT["components"]["parameters"].get(each, {"name": each})["name"] for each in given}
                self.assertEqual(set(re.findall(r"{(\w+)}", path)), named, path)


if __name__ == "__main__":
    unittest.main()
