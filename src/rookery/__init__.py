"""rookery: chess bitboards."""
