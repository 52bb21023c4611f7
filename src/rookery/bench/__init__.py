"""Benchmarks that check their answers and record the machine they ran on."""
