"""Questions of other programs as queries of ours, and code that asks both and compares the answers."""
