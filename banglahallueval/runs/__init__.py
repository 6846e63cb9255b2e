"""One resumable run over a table, for every capability."""
