"""The parts of the package `gguf` that the oracles use.

Importing the package itself would also import what reads Hugging Face's folders, and with it packages that reading
and writing GGUF does not need.
"""

import importlib.util
import sys
import types

package = types.ModuleType("gguf")
package.__path__ = list(importlib.util.find_spec("gguf").submodule_search_locations)
sys.modules["gguf"] = package

from gguf import quants  # noqa: E402
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFValueType  # noqa: E402
from gguf.gguf_reader import GGUFReader  # noqa: E402
from gguf.gguf_writer import GGUFWriter  # noqa: E402

__all__ = ["GGML_QUANT_SIZES", "GGMLQuantizationType", "GGUFReader", "GGUFValueType", "GGUFWriter", "quants"]
