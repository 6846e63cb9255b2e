"""The page of results: tables, words, and how a browser shows them."""
