"""The methods of `Positions`: one mixin for each family."""
