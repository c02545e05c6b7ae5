"""What scripts/check-layers.py must catch, and what it must let through."""

import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "check-layers.py"
spec = importlib.util.spec_from_file_location("check_layers", SCRIPT)
layers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(layers)


def target(name, *dependencies, kind="regular", path=None):
    """A target as `swift package dump-package` prints it."""
    return {"name": name, "type": kind, "path": path, "dependencies": list(dependencies)}


def sibling(name):
    return {"byName": [name, None]}


def product(name, package, traits=("Hub",)):
    condition = {"platformNames": [], "traits": list(traits)} if traits else None
    return {"product": [name, package, None, condition]}


class CheckLayersTests(unittest.TestCase):
    def problems(self, *targets, files=None):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in (files or {}).items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            return layers.check({"targets": list(targets)}, root)

    def test_a_declared_import_passes(self):
        found = self.problems(
            target("BreezeCore"),
            target("BreezeEngine", sibling("BreezeCore"), product("Logging", "swift-log", traits=())),
            files={"Sources/BreezeEngine/A.swift": "import BreezeCore\nimport Foundation\nimport Logging\n"},
        )
        self.assertEqual(found, [])

    def test_an_undeclared_sibling_is_caught_however_it_is_written(self):
        for line in (
            "import BreezeModels",
            "public import BreezeModels",
            "  @testable import BreezeModels",
            "@_spi(Hidden) internal import BreezeModels",
            "import struct BreezeModels.Store",
            "import Foundation; import BreezeModels",
        ):
            with self.subTest(line):
                files = {"Sources/BreezeCore/A.swift": line + "\n"}
                found = self.problems(target("BreezeCore"), target("BreezeModels"), files=files)
                self.assertEqual(len(found), 1)
                self.assertIn("A.swift: imports BreezeModels, which Package.swift does not declare", found[0])

    def test_the_path_of_a_target_is_followed(self):
        found = self.problems(
            target("BreezeEngine"),
            target("BreezeMockRunners", path="Sources/Runners/Mock"),
            files={"Sources/Runners/Mock/Deep/A.swift": "import BreezeEngine\n"},
        )
        self.assertEqual(len(found), 1)
        self.assertIn("Sources/Runners/Mock/Deep/A.swift: imports BreezeEngine", found[0])

    def test_text_that_looks_like_an_import_is_not_one(self):
        source = '/// import BreezeModels\n/*\nimport BreezeModels\n*/\nlet a = """\nimport BreezeModels\n"""\n'
        found = self.problems(
            target("BreezeCore"), target("BreezeModels"), files={"Sources/BreezeCore/A.swift": source}
        )
        self.assertEqual(found, [])

    def test_a_product_that_the_target_does_not_declare_is_caught(self):
        found = self.problems(
            target("BreezeCore"),
            target("BreezeModels", product("Crypto", "swift-crypto")),
            files={f"Sources/{name}/A.swift": "import Crypto\n" for name in ("BreezeCore", "BreezeModels")},
        )
        self.assertEqual(len(found), 1)
        self.assertIn("Sources/BreezeCore/A.swift: imports Crypto", found[0])

    def test_only_the_composition_root_names_concrete_runners(self):
        runner = target("BreezeMockRunners", path="Sources/Runners/Mock")
        root = target("breeze", sibling("BreezeMockRunners"), kind="executable")
        tests = target("BreezeCoreTests", sibling("BreezeMockRunners"), kind="test")
        self.assertEqual(self.problems(runner, root, tests), [])
        found = self.problems(runner, target("BreezeEngine", sibling("BreezeMockRunners")))
        self.assertEqual(len(found), 1)
        self.assertIn("BreezeEngine depends on BreezeMockRunners: only breeze names runners", found[0])

    def test_a_dependency_on_a_layer_above_is_caught(self):
        runner = target("BreezeMockRunners", sibling("BreezeEngine"), path="Sources/Runners/Mock")
        self.assertEqual(
            self.problems(target("BreezeEngine"), runner),
            ["Package.swift: BreezeMockRunners depends on BreezeEngine, which does not stand below it"],
        )

    def test_a_target_without_a_layer_is_caught(self):
        self.assertIn("BreezeElse has no place", self.problems(target("BreezeElse"))[0])

    def test_an_external_product_needs_a_trait(self):
        found = self.problems(target("BreezeModels", product("Crypto", "swift-crypto", traits=())))
        self.assertEqual(
            found, ["Package.swift: BreezeModels uses Crypto of swift-crypto without a trait's condition"]
        )

    def test_a_file_over_the_limit_is_caught(self):
        long = {"Sources/BreezeCore/A.swift": "\n" * (layers.MAX_LINES + 1)}
        self.assertIn("401 lines", self.problems(target("BreezeCore"), files=long)[0])
        full = {"Sources/BreezeCore/A.swift": "\n" * layers.MAX_LINES}
        self.assertEqual(self.problems(target("BreezeCore"), files=full), [])


if __name__ == "__main__":
    unittest.main()
