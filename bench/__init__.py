"""Benchmarks: ours beside a peer in the same run, medians and ratios."""
