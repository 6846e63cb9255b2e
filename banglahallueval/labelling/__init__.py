"""Label a table with a judge."""
