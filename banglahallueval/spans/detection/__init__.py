"""A detection run: answers of any span data become a table of what a detector finds in them."""
