"""Judges that were trained for it: token classifiers and NLI models, run on this machine."""
