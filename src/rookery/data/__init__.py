"""Positions and games as data: columns about positions, datasets for training, formats of engines, puzzles."""
