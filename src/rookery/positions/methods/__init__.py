"""What `Positions` can do, a mixin for each family of methods."""
