"""The shipped table of losses belongs to the shipped models and supports the lesson's claims."""

from transformers import AutoTokenizer

from course_utils.lessons.better_drafts import distilled, record
from course_utils.lessons.better_drafts.figures import band_shares
from course_utils.training.losses import LOSSES
from workshop.training import manifest


def test_the_table_belongs_to_the_shipped_pair_and_plain_draft():
    settings = record.results()["settings"]
    for name, folder in {"target": distilled.TARGET, "plain": distilled.PLAIN}.items():
        assert settings[name] == manifest.digest(folder / "model.safetensors"), name


def test_the_table_supports_the_lesson():
    """With every seed, all losses beat the control, TV and reverse KL lead, and training on the
    draft's own text gains less."""
    table = record.results()
    of_seeds = record.by_loss_and_text(table["entries"], "alpha")
    seeds = range(len(table["settings"]["seeds"]))
    assert {len(alphas) for alphas in of_seeds.values()} == {len(seeds)}
    for seed in seeds:
        alpha = {key: alphas[seed] for key, alphas in of_seeds.items()}
        on_corpus = {loss: a for (loss, text), a in alpha.items() if text == record.CORPUS}
        first = min(on_corpus["TV"], on_corpus["reverse KL"])
        order = ("-log α", "LK mixture", "forward KL", record.CONTROL)
        falling = [first, *(on_corpus[name] for name in order)]
        assert falling == sorted(falling, reverse=True)
        before = table["before"]["alpha"]
        assert on_corpus[record.CONTROL] < before < on_corpus["TV"] - 0.01
        assert abs(on_corpus["forward KL"] - before) < 0.003  # hardly gains
        assert all(alpha[name, record.OWN] < on_corpus[name] for name in LOSSES)


def test_the_less_weight_a_loss_gives_to_hopeless_positions_the_more_alpha_gains():
    """On the plain draft's rows; forward KL and the LK mixture are within a seed of each other."""
    target = distilled.load_frozen()
    tokens = distilled.held_out_tokens(AutoTokenizer.from_pretrained(distilled.TARGET))
    held_out = distilled.HeldOut.of(target, tokens, number=4)
    log_q = distilled.rows_of(distilled.load(distilled.PLAIN), held_out.windows)
    bands = band_shares(*distilled.gradient_lengths(held_out.log_p, log_q))
    rows = {name: shares[0] for name, shares in bands.items()}
    order = "TV", "reverse KL", "-log α", "forward KL", "LK mixture"
    assert [rows[name] for name in order] == sorted(rows[name] for name in order)
    assert rows["TV"] < rows["all positions"] / 2
    assert rows["forward KL"] > 1.5 * rows["all positions"]
