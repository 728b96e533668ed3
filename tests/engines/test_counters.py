"""Pages of counters, real and broken, and what each of the four definitions says of one run."""

from fractions import Fraction

import pytest

from course_utils.engines.counters import (
    Counters,
    NoCounters,
)

# vLLM 0.32's page, cut: a line of the process, the counters, when one began, something else
REAL = """\
# HELP process_virtual_memory_bytes Virtual memory size in bytes.
# TYPE process_virtual_memory_bytes gauge
process_virtual_memory_bytes 1.978433536e+09
# HELP vllm:spec_decode_num_drafts_total Number of spec decoding drafts.
# TYPE vllm:spec_decode_num_drafts_total counter
vllm:spec_decode_num_drafts_total{engine="0",model_name="m"} 1080.0
vllm:spec_decode_num_drafts_created{engine="0",model_name="m"} 1.7953754742859917e+09
vllm:spec_decode_num_draft_tokens_total{engine="0",model_name="m"} 4320.0
vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="m"} 446.0
# HELP vllm:spec_decode_num_accepted_tokens_per_pos_total Accepted tokens per draft position.
# TYPE vllm:spec_decode_num_accepted_tokens_per_pos_total counter
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="0"} 231.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="1"} 74.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="2"} 72.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="3"} 69.0
vllm:generation_tokens_total{engine="0",model_name="m"} 1536.0
"""
PLAIN = "\n".join(line for line in REAL.splitlines() if "spec_decode" not in line) + "\n"
SGLANG = 'sglang:spec_accept_length{model_name="m"} 2.9\n'
LLAMA_CPP = "llamacpp:tokens_predicted_total 512\n"


def page(rounds, positions=4, engine="0", model="m"):
    """As vLLM counts (drafted, accepted) of each round, one after the other."""
    d = k = a = 0
    at = [0] * positions
    for drafted, accepted in rounds:
        d, k, a = d + 1, k + drafted, a + accepted
        for i in range(accepted):
            at[i] += 1
    mine = f'engine="{engine}",model_name="{model}"'
    name = "vllm:spec_decode_num"
    lines = [
        f"{name}_{what}_total{{{mine}}} {n}.0"
        for what, n in (("drafts", d), ("draft_tokens", k), ("accepted_tokens", a))
    ]
    lines += [
        f'{name}_accepted_tokens_per_pos_total{{{mine},position="{i}"}} {n}.0'
        for i, n in enumerate(at)
    ]
    return "\n".join(lines) + "\n"


def rounds_of(length, alpha, count):
    """`count` rounds that draft `length` tokens, each accepted with `alpha`, in exactly the
    shares that alpha gives."""
    shares = [alpha**i * (1 - alpha) for i in range(length)] + [alpha**length]
    numbers = [share * count for share in shares]
    assert all(number.denominator == 1 for number in numbers)
    return [(length, i) for i, number in enumerate(numbers) for _ in range(int(number))]


# --- pages ------------------------------------------------------------------------------


def test_a_real_page():
    counters = Counters.of(REAL)
    assert counters == Counters(1080, 4320, 446, (231, 74, 72, 69))
    assert counters.acceptance_rate == 446 / 4320
    assert counters.mean_acceptance_length == 1 + 446 / 1080
    assert counters.conditional == (231 / 1080, 74 / 231, 72 / 74, 69 / 72)


@pytest.mark.parametrize(
    "changed",
    [
        REAL.replace("\n", "\r\n"),
        "\n".join(line for line in REAL.splitlines() if not line.startswith("#")) + "\n",
        REAL.replace(".0\n", "\n"),
        REAL.replace(".0\n", "e0 1795375474000\n"),  # with a time
        "\n\n" + REAL,
    ],
    ids=["CRLF", "no comments", "no decimals", "times", "empty lines"],
)
def test_the_same_page_written_otherwise(changed):
    assert Counters.of(changed) == Counters.of(REAL)


def test_engines_of_one_server_add_up():
    both = page([(4, 2), (2, 0)], positions=2) + page([(4, 4)], positions=4, engine="1")
    assert Counters.of(both) == Counters(3, 10, 6, (2, 2, 1, 1))


def test_of_two_models_one_is_to_be_named():
    both = page([(4, 2)], model="a") + page([(4, 4)], model='b"\\<i>')
    with pytest.raises(ValueError, match=r"'a', 'b.*say which model you mean") as raised:
        Counters.of(both.replace('b"\\<i>', 'b\\"\\\\<i>'))
    assert not isinstance(raised.value, NoCounters)
    assert Counters.of(both.replace('b"\\<i>', "b"), "a") == Counters(1, 4, 2, (1, 1, 0, 0))
    assert Counters.of(both.replace('b"\\<i>', "b"), "b") == Counters(1, 4, 4, (1, 1, 1, 1))
    with pytest.raises(NoCounters, match="nothing for c, but for 'a', 'b'"):
        Counters.of(both.replace('b"\\<i>', "b"), "c")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not vLLM's; is the address"),
        ("# nothing\n", "not vLLM's; is the address"),
        (PLAIN, "decodes without speculation"),
        (SGLANG, "SGLang.*no counts by position"),
        (LLAMA_CPP, "llama.cpp.*draft_n_accepted"),
        (REAL.replace("num_accepted_tokens_total", "x"), "no vllm:spec_decode_num_accepted_tok"),
    ],
    ids=["empty", "comments", "plain vLLM", "SGLang", "llama.cpp", "one is missing"],
)
def test_a_page_without_these_counters_says_whose_it_may_be(text, why):
    with pytest.raises(NoCounters, match=why):
        Counters.of(text)


@pytest.mark.parametrize(
    "text",
    ["<html><body>502</body></html>\n", '{"data": []}', "vllm:x{a=} 1\n", "a b c d\n", "\0\n",
     "vllm:spec_decode_num_drafts_total{ 5\n", "vllm:spec_decode_num_drafts_total five\n",
     REAL[:-300] + "vllm:spec_de"],
)  # fmt: skip
def test_what_is_no_page_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"no page of counters|no vllm:"):
        Counters.of(text)


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-Inf", "-1.0", "1.5", "1e300", "1e16"])
@pytest.mark.parametrize("old", ["1080.0", "4320.0", "446.0", "231.0"])
def test_what_is_no_count_is_told(old, value):
    with pytest.raises(ValueError, match="which is no count") as raised:
        Counters.of(REAL.replace(f" {old}\n", f" {value}\n"))
    assert not isinstance(raised.value, NoCounters)


def test_large_counts_are_exact():
    large = REAL.replace("1080.0", "1e+15").replace("4320.0", "4.000000000000001e+15")
    assert Counters.of(large).drafts == 10**15
    assert (Counters.of(large) - Counters.of(REAL)).drafted == 4 * 10**15 + 1 - 4320


@pytest.mark.parametrize(
    ("position", "why"),
    [("2", "leaves some out"), ("-1", "position"), ("x", "position"), ("²", "position"),
     ("", "position"), ("9" * 5000, "position"), ("999999999", "leaves some out")],
)  # fmt: skip
def test_positions_with_gaps_and_odd_ones(position, why):
    with pytest.raises(ValueError, match=why) as raised:
        Counters.of(page([(2, 1)], positions=2).replace('"1"} 0', f'"{position}"}} 0'))
    assert len(str(raised.value)) < 300


# --- differences ------------------------------------------------------------------------


def test_between_two_pages_lies_what_was_asked():
    first, then = [(4, 2)] * 3, [(4, 0), (2, 2)]
    difference = Counters.of(page(first + then)) - Counters.of(page(first))
    assert difference == Counters.of(page(then))


def test_nothing_between_two_pages_has_no_rates():
    nothing = Counters.of(REAL) - Counters.of(REAL)
    assert nothing == Counters(0, 0, 0, (0, 0, 0, 0))
    assert nothing.acceptance_rate is None
    assert nothing.mean_acceptance_length is None
    assert nothing.conditional == (None,) * 4


def test_positions_that_only_one_page_has():
    assert Counters(2, 4, 2, (1, 1)) - Counters(1, 1, 1, (1,)) == Counters(1, 3, 1, (0, 1))
    with pytest.raises(ValueError, match="went down"):
        _ = Counters(2, 4, 2, (1,)) - Counters(1, 1, 1, (1, 1))


@pytest.mark.parametrize("which", ["1080.0", "4320.0", "446.0", "72.0"])
def test_counters_that_went_down_are_of_another_server(which):
    with pytest.raises(ValueError, match="started again between the two pages"):
        _ = Counters.of(REAL.replace(f" {which}", " 3.0")) - Counters.of(REAL)


# --- the four definitions ---------------------------------------------------------------

HALF = Fraction(1, 2)


def test_with_equal_drafts_each_definition_is_what_it_says():
    rounds = rounds_of(4, HALF, 16)
    counters = Counters.of(page(rounds))
    assert counters.conditional == (1 / 2,) * 4
    assert counters.acceptance_rate == (8 + 4 + 2 + 1) / 64  # not alpha
    assert counters.mean_acceptance_length == 1 + 15 / 16  # (1 - alpha^5) / (1 - alpha)


def test_where_drafts_vary_conditional_takes_what_was_not_drafted_for_refused():
    rounds = rounds_of(1, HALF, 16) + rounds_of(4, HALF, 16)
    counters = Counters.of(page(rounds))
    assert counters.conditional == (1 / 2, 1 / 4, 1 / 2, 1 / 2)  # alpha is 1/2 everywhere
