"""Measurements that check their answers and say what they ran on."""
