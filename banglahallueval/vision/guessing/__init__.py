"""How much of the discriminative evaluation can be guessed from the captions alone."""
