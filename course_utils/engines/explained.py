"""Settings that lesson 12 explains and cannot run: what the engine's own classes make of them.

Each names one of the `checks`; its answer is in the record, so nothing here says it a second time.
EAGLE-3 and MTP: REFERENCES.md: li2025eagle3, deepseek2024; block verification: sun2024block.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Explained:
    """A setting that the lesson explains: the check that tried it, and what there is to know.

    `tells` are the values of the finished configuration in which the point lies.
    """

    name: str
    check: str
    what: str
    tells: tuple[str, ...] = ()


EXPLAINED = (
    Explained(
        "EAGLE-3",
        "eagle3",
        "a head of one layer on the target's own states, its name found in the folder's name if "
        "no method is given",
        ("method", "num_speculative_tokens", "draft_architecture", "lookahead_slots"),
    ),
    Explained(
        "MTP",
        "mtp",
        "the target's own head; asked for more tokens than it has layers, the engine runs the "
        "same layer again and warns of lower acceptance",
        ("method", "num_speculative_tokens", "draft_architecture", "draft_n_predict"),
    ),
    Explained(
        "MTP without a number",
        "mtp, no number",
        "the engine's text says that the model's own number is taken then; this version fails "
        "before it looks there",
    ),
    Explained(
        "tensor parallel",
        "eagle3, tensor parallel 2",
        "the draft is split as the target",
        ("processes", "tensor_parallel", "draft_tensor_parallel"),
    ),
    Explained(
        "a draft on one of two",
        "draft on one of 2, started",
        "the configuration takes it, the drafter of model runner V1 refuses it before a weight "
        "is read",
    ),
    Explained("a split that does not divide", "tensor parallel 3", "every rank holds whole heads"),
    Explained(
        "pipeline parallel",
        "draft, pipeline parallel 2",
        "the target is cut into two stages, the draft is not: it runs on one",
        ("processes", "pipeline_parallel", "draft_pipeline_parallel"),
    ),
    Explained(
        "tensor and pipeline",
        "tensor 2 x pipeline 2",
        "four processes; the draft follows the tensor split alone",
        (
            "processes",
            "tensor_parallel",
            "pipeline_parallel",
            "draft_tensor_parallel",
            "draft_pipeline_parallel",
        ),
    ),
    Explained(
        "a sampled draft",
        "a sampled draft",
        "the default is greedy at every temperature: q is one-hot and a draft is accepted with "
        "probability p(x)",
        ("draft_sample_method",),
    ),
    Explained(
        "block verification",
        "block verification",
        "a key that only model runner V2 reads; V1, which a CPU gets, verifies token by token, "
        "draws the draft greedily, and says nothing",
        ("rejection_sample_method", "model_runner"),
    ),
    Explained(
        "synthetic",
        "synthetic",
        "given rates instead of verification: a load test without a draft worth its name; the "
        "text is not the target's",
        ("rejection_sample_method", "synthetic_acceptance_rates"),
    ),
    Explained(
        "lengths by batch size",
        "lengths by batch size",
        "[first, last, tokens] of batches",
        ("num_speculative_tokens_per_batch_size",),
    ),
)
