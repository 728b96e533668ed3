"""Grids: the points of a good one, and a sentence for each that is none."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_utils.authoring.grids import CAPSTONE, MOST_POINTS, as_text, points, read_grid
from course_utils.authoring.results import Results, results, with_results
from course_utils.classroom.notebooks import lesson_paths, read_lesson

PARAMETERS = """\
gamma = 4  # whole
temperature = 0.7
pair = "tiny"
threads = None
sizes = [1, 2]
steps = {1: 60}
quick = False"""


def lesson(code="drafted = gamma", prose="words"):
    cells = [
        new_markdown_cell(prose),
        new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]}),
        new_code_cell(code),
    ]
    return new_notebook(cells=cells)


def found(notebook=None, code="c", results=None, **parameters):
    grid = read_grid(json.dumps({"parameters": parameters, "results": results or {}}))
    return points(grid, notebook or lesson(), "01_x", code)


def names(*arguments, **more):
    return [point.name for point in found(*arguments, **more)]


def test_every_combination_is_a_point_and_the_last_parameter_changes_fastest():
    asked = found(gamma=[2, 4], temperature=[0, 0.5, 1], pair="tiny")
    assert [(p.given["gamma"], p.given["temperature"]) for p in asked] == [
        (2, 0.0), (2, 0.5), (2, 1.0), (4, 0.0), (4, 0.5), (4, 1.0),
    ]  # fmt: skip
    assert asked[0].parameters == {
        "gamma": 2, "temperature": 0.0, "pair": "tiny", "threads": None,
        "sizes": [1, 2], "steps": {1: 60}, "quick": False,
    }  # fmt: skip
    assert len({p.name for p in asked}) == 6
    assert as_text(asked[0].given) == "gamma=2, temperature=0.0, pair='tiny'"


def test_a_list_is_one_value_where_it_stands_in_a_list():
    assert [p.given["sizes"] for p in found(sizes=[[1], [2, 3]])] == [[1], [2, 3]]
    assert [p.given["threads"] for p in found(threads=[None, 2])] == [None, 2]


def test_a_point_is_its_lessons_code_its_parameters_and_its_results():
    (name,) = names(gamma=4)
    assert names(gamma=4, temperature=0.7) == names(pair="tiny") == [name]  # the defaults
    assert names(lesson(prose="other words"), gamma=4) == [name]
    others = [
        *names(lesson("drafted = gamma + 1"), gamma=4), *names(gamma=3), *names(gamma=4, code="d"),
        *names(gamma=4, results={"drafted": "drafted"}), *names(gamma=4, sizes=[[1, 3]]),
    ]  # fmt: skip
    assert len({name, *others}) == 6


def test_the_capstone_is_the_lesson_unless_another_is_named():
    assert read_grid('{"parameters": {"gamma": 2}}').lesson == CAPSTONE
    assert read_grid('{"lesson": "01", "parameters": {"gamma": 2}}').lesson == "01"
    (path,) = lesson_paths([CAPSTONE])
    grid = read_grid('{"parameters": {"gamma": [2, 4], "target": "tiny", "threads": [1, null]}}')
    assert len(points(grid, read_lesson(path), path.stem, "")) == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the grid is no JSON"),
        ("{'gamma': 1}", "the grid is no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "no JSON object"),
        ("null", "no JSON object"),
        ("{}", "the grid is empty"),
        ('{"parameters": {}}', "the grid is empty"),
        ('{"parameters": []}', "parameters is no JSON object"),
        ('{"parameters": 3}', "parameters is no JSON object"),
        ('{"parameters": {"gamma": []}}', "gamma has no value"),
        ('{"parameters": {"gamma": 1, "gamma": 2}}', "'gamma' twice"),
        ('{"parameters": {"gamma": NaN}}', "holds NaN"),
        ('{"parameters": {"temperature": -Infinity}}', "holds -Infinity"),
        ('{"parameters": {"temperature": 1e999}}', "holds 1e999"),
        ('{"parameters": {"gamma": %s}}' % ("9" * 5000), "integer string"),
        ('{"parameters": {"pair": "\\ud800"}}', "half a character"),
        ('{"parameters": {"pair": ["a", "\\udc00"]}}', "half a character"),
        ('{"gamma": [1]}', "a grid has no 'gamma'; it has lesson, parameters, results"),
        ('{"lesson": 13, "parameters": {"gamma": 1}}', "lesson is 13; give a text"),
        ('{"parameters": {"gamma": 1}, "results": ["x"]}', "results is no JSON object"),
        ('{"parameters": {"gamma": 1}, "results": {"x": "1 +"}}', "result x is no expression"),
        ('{"parameters": {"gamma": 1}, "results": {"x": "y = 1"}}', "result x is no expression"),
        ('{"parameters": {"gamma": 1}, "results": {"x": 5}}', "result x is no expression"),
        ('{"parameters": {"gamma": 1}, "results": {"x": ""}}', "result x is no expression"),
        ('{"parameters": {"gamma": 1}, "results": {"x": "\\u0000"}}', "result x is no expression"),
        ('{"parameters": {"gamma": 1}, "results": {"a b": "1"}}', "a name as Python has them"),
        ('{"parameters": {"gamma": 1}, "results": {"if": "1"}}', "a name as Python has them"),
    ],
)  # fmt: skip
def test_what_is_no_grid_is_refused_in_a_sentence(text, says):
    with pytest.raises(ValueError, match=says) as refused:
        read_grid(text)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"gama": [1, 2]}, r"01_x has no parameter 'gama'; it has gamma=4, temperature=0.7, pair="),
        ({"gamma": ["2"]}, "gamma is '2'; 01_x wants a whole number, as 4"),
        ({"gamma": [2, 2.5]}, "gamma is 2.5; 01_x wants a whole number"),
        ({"gamma": [2, None]}, "gamma is None; 01_x wants a whole number"),
        ({"gamma": [1, 2, True]}, "gamma is True; 01_x wants a whole number"),
        ({"gamma": {"a": 1}}, r"gamma is \{'a': 1\}; 01_x wants a whole number"),
        ({"gamma": [1, 2, 3, 4], "temperature": [0, "hot"]}, "temperature is 'hot'; 01_x wants"),
        ({"pair": 3}, "pair is 3; 01_x wants a text, as 'tiny'"),
        ({"sizes": [1, 2]}, "sizes is 1; 01_x wants a list"),
        ({"threads": "two"}, "threads is 'two'; 01_x wants a number, as None"),
        ({"quick": 1}, "quick is 1; 01_x wants true or false"),
        ({"steps": {"1": 60}}, "steps is a table, which a grid cannot vary"),
        ({"gamma": [2, 3, 2]}, "the same point twice: gamma=2"),
        ({"temperature": [1, 1.0]}, "the same point twice: temperature=1.0"),
        ({"gamma": list(range(MOST_POINTS + 1))}, "the grid has 10,001 points; at most 10,000"),
    ],
)
def test_what_the_lesson_does_not_take_is_refused_before_anything_runs(parameters, says):
    with pytest.raises(ValueError, match=says):
        found(**parameters)


@pytest.mark.parametrize("name", ["gamma", "state", "seconds", "notebook"])
def test_a_result_does_not_hide_another_column(name):
    with pytest.raises(ValueError, match=f"the result '{name}' has the name of another column"):
        found(gamma=1, results={name: "1"})


def test_a_huge_product_is_counted_and_not_made():
    values = list(range(1000))
    with pytest.raises(ValueError, match="the grid has 1,000,000 points"):
        found(gamma=values, temperature=values)


def test_results_are_computed_in_a_cell_at_the_end_of_a_copy():
    original = lesson()
    ran = nbformat.from_dict(original)
    ran.cells[-1].outputs, ran.cells[-1].execution_count = [new_output("stream", text="8")], 2
    assert with_results(ran, {}) == with_results(original, {})  # what is sent is short
    before = nbformat.writes(original)
    copy = with_results(original, {"drafted": "drafted", "ratio": "drafted / 2"})
    assert nbformat.writes(original) == before
    assert copy.cells[:-1] == original.cells
    exec(copy.cells[-1].source, {"drafted": 8})
    nbformat.validate(copy)
    assert with_results(original, {}) == original
    old = nbformat.from_dict({**original, "nbformat_minor": 4})
    assert "id" not in with_results(old, {"a": "1"}).cells[-1]


def shown_as(**values):
    return Results(**{name: lambda value=value: value for name, value in values.items()})


def test_results_are_read_from_the_outputs_of_that_cell_and_from_no_other():
    shown = shown_as(a=1, b=[0.5, "x"], c=None, d=True)
    output = new_output("execute_result", shown._repr_mimebundle_())
    copy = with_results(lesson(), {"a": "1"})
    copy.cells[-2].outputs = [output]
    assert results(copy) == {}
    copy.cells[-1].outputs = [output]
    assert results(copy) == {"a": 1, "b": [0.5, "x"], "c": None, "d": True}


def test_a_result_is_a_number_a_text_or_a_list():
    import numpy as np
    import torch

    shown = shown_as(
        a=np.float64(0.5), b=np.arange(3), c=torch.tensor(2), d=float("nan"), e=(1, -np.inf)
    )
    assert json.loads(json.dumps(shown._repr_mimebundle_(), allow_nan=False))
    (values, _) = shown._repr_mimebundle_().values()
    assert values == {"a": 0.5, "b": [0, 1, 2], "c": 2, "d": "nan", "e": [1, "-inf"]}
    for bad in ({}, object(), len, [1, {}]):
        with pytest.raises(TypeError, match=r"the result bad is a .*: give a number, text or list"):
            shown_as(bad=bad)


def test_a_result_that_cannot_be_computed_is_named():
    copy = with_results(lesson(), {"good": "drafted", "odd": "1 / (drafted - 8)"})
    why = "the result odd could not be computed: ZeroDivisionError: "
    with pytest.raises(RuntimeError, match=why):
        exec(copy.cells[-1].source, {"drafted": 8})
