"""One game position: its rules, its moves, its notation."""
