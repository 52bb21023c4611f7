"""Magic factors are found: by laying copies of the occupancy, for rook, bishop and any other rider."""
