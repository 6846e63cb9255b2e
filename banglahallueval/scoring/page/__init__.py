"""What the page of results shows of tables and figures: cells, plain words, styles, sorting."""
