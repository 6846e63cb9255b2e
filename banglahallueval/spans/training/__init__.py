"""Train a token classifier on answers with marked spans, and their evidence."""
