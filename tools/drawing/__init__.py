"""The sample pictures of `Vision/`, as drawings."""
