"""The judged rows in the page of results: which, how they are packed, how they are shown."""

DEFAULT_ROWS = 20_000
