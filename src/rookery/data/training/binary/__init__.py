"""Formats of bytes: one file for each, and what they share."""
