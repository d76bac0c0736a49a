"""Exact solvers and the kernels they are made of."""
