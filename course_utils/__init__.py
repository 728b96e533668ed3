"""The shared, verified implementation behind the course::

 notebooks, commands                   compose a model + a drafter + a rule; import all below
     |
 lessons                               a room a lesson: its checks, figures, quiz, own scenes
     |
 proofs, measuring,                    exactness and bugs; seconds; how data/ was made;
 training, engines                     losses and recipes; what servers say
     |
 classroom                             the kit of every lesson and of none: pictures, tables,
     |             |                   exercises, questions, scenes (drawn by `stage/`)
     |         drafters --> models     guesses | character toy, n-grams, Qwen3
     v             v           v
 ---------------  decoding  ----------   the loop, the rules, the theory: NumPy only

Arrows point down only, no lesson imports another, and the classroom knows no model:
import-linter holds that.  Start reading at `decoding/contracts.py`, then `decoding/loop.py`.
The settings of a run are given once, to `generate(sampling=...)`; whole rows of p and q are
yielded with `generate(..., rows=True)`, else only their numbers at a round's own tokens.
Nothing is imported here: a re-export would pull torch into the first lesson.
"""
