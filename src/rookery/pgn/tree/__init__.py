"""Game trees: their nodes, how they grow from movetext, and the visitors that build them."""
