"""The published benchmark and its sources: where they are, fetching them, what should be there."""
