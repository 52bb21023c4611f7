"""Training data of files that are divided into tasks for an executor."""
