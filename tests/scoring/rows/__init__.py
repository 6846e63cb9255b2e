"""The rows in the page of results."""
