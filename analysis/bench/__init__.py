"""How fast the house is: the kernels beside numpy, plain Python and C, and the bars they must meet.

`bars` measures and judges; the rivals, which do the same work in their own way, are in
`numpy_yardsticks`, `python_yardsticks`, and `c_yardstick` with a C file a game, one for the solver.
"""
