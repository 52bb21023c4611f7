"""Prove which index widths are impossible: the branch and bound, its ledgers and certificates."""
