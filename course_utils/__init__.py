"""The shared, verified implementation behind the course.

     notebooks, commands                     compose a model + a drafter + a rule
         |
     classroom    proofs, measuring,         pictures, widgets, checks | exact laws, bugs;
         |        training                                      seconds; how data/ was made
         |             |
         |          drafters --> models      guesses | character toy, n-grams, Qwen3
         v             v           v
     -------------  decoding  -----------    the loop, the rules, the theory: NumPy only

Arrows point down only; import-linter holds them.  Start reading at
`decoding/contracts.py`, then `decoding/loop.py`.  Nothing is imported here: a
re-export would pull torch into lesson 01.
"""
