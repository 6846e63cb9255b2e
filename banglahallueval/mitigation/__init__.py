"""The mitigation study: prompts compared on the same rows, whole or sampled."""
