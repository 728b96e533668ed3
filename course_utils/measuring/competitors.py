"""The engines that are compared with, and what transformers offers: its own modes of generation.

The settings of its draft model are read from that model's generation config, not from
the arguments of `generate`.  With scikit-learn installed, which the course does not ask
for, transformers would move the confidence threshold while it decodes.  Left out: static
caches and torch.compile.
"""

import torch
from transformers import AutoModelForCausalLM, GenerationConfig
from transformers.utils import logging

from course_utils.measuring.contenders import GENAI, LLAMA, Contender
from course_utils.measuring.genai import Genai, genai_is_here
from course_utils.measuring.llama_cpp import SERVER, LlamaCpp, gguf_is_here, llama_server
from course_utils.measuring.passages import Passage
from course_utils.measuring.protocol import Continue, Side, Told

UNTRAINED = {
    "transformers' MTP": "it needs a model with layers for it, and the pair's target has none",
    "transformers' DFlash": "it needs a draft made for it, and the pair has none",
}
INSTALLED = 'pip install --constraint constraints.txt --editable ".[engines]"'


def others(target: str, draft: str, threads: int) -> tuple[dict[str, Side], dict[str, str]]:
    """The other engines that are here, ready to run the pair in float32; and why some are not."""
    found: dict[str, Side] = {}
    absent: dict[str, str] = {}
    program = llama_server()
    if not genai_is_here():
        absent[GENAI] = f"{INSTALLED} gets it"
    if program is None:
        absent[LLAMA] = f"no llama-server on the path or in {SERVER}; CONTRIBUTING.md builds one"
    elif not gguf_is_here():
        absent[LLAMA] = f"{INSTALLED} gets what writes its files"
    makers = {
        GENAI: lambda: Genai(target, draft, threads),
        LLAMA: lambda: LlamaCpp(target, draft, threads, program),
    }
    for who in (name for name in makers if name not in absent):
        try:
            found[who] = makers[who]()
        except (RuntimeError, OSError) as error:  # one that is broken leaves the rest their bench
            absent[who] = f"it does not run: {error}"
    return found, absent


class Competitors:
    """The pair as transformers runs it, in one dtype."""

    def __init__(self, target: str, draft: str, dtype: torch.dtype):
        logging.set_verbosity_error()
        self.target = AutoModelForCausalLM.from_pretrained(target, dtype=dtype).eval()
        self.draft = AutoModelForCausalLM.from_pretrained(draft, dtype=dtype).eval()

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for; stop tokens are ignored."""
        sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
        mode = sampling if temperature else {"do_sample": False}
        if contender.kind == "lookup":
            mode |= {
                "prompt_lookup_num_tokens": contender.gamma,
                "max_matching_ngram_size": contender.longest,
            }
        draft = self.draft if contender.kind == "model" else None

        def go_on(number: int, passage: Passage) -> Told:
            torch.manual_seed(number)
            if draft:  # set anew each time: others were set since
                settings = draft.generation_config
                settings.num_assistant_tokens = contender.gamma
                settings.num_assistant_tokens_schedule = contender.schedule
                settings.assistant_confidence_threshold = contender.threshold
            ids = torch.tensor([passage.prompt])
            output = self.target.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                generation_config=GenerationConfig(
                    max_new_tokens=passage.new_tokens, pad_token_id=0, **mode
                ),
                assistant_model=draft,
            )
            return Told(output[0, len(passage.prompt) :].tolist())

        return go_on
