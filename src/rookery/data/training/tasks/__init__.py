"""Training data of files that is divided into ranges."""
