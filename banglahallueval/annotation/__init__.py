"""Human labels: blind samples, a page to label in, agreement, adjudication."""
