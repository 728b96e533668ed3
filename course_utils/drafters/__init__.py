"""What guesses tokens.  A drafter's class says what the table of all names must know of it:

needs: the model that it is created with, "draft", "target", or one created for it: "counted",
    "int8", "shared", or a head's name; None: it is created without a model.
rule: the default rule, the one for its chains or trees.
nodes: the number of nodes in its trees; None: it drafts chains.
"""
