"""Inputs and outputs of networks: feature planes and policy masks."""
