"""Commands about techniques."""
