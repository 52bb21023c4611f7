"""Commands about positions."""
