"""What models, their forms and number formats are called, known before torch is loaded."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
# Installed, the package has it inside (setup.py); in a clone it lies beside the package.
DATA = _PACKAGE / "data" if (_PACKAGE / "data").is_dir() else _PACKAGE.parent / "data"
PAIRS = {
    "tiny": (str(DATA / "target"), str(DATA / "draft")),
    "qwen3": ("Qwen/Qwen3-4B", "Qwen/Qwen3-0.6B"),
}
AUTO = "auto"  # let `forms.form_for` choose, or `device.to_dtype`
READABLE, ONNX = "readable", "onnx"  # forms of a Qwen3
DTYPES = ("float32", "bfloat16", "float16")
