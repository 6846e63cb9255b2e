"""All judged rows inside the page of results: which, how they are packed, and how they are shown."""
