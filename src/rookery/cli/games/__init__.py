"""Commands that read files of games."""
