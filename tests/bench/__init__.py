"""What can be wrong in the benchmarks themselves."""
