"""The writers of exports, one for each language."""
