"""The methods of `Games`, in a mixin for each family."""
