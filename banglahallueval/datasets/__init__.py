"""The published benchmark and its sources: where they are, fetching and checking them."""
