"""Evidence-augmented judging (E-CoT): claims with their evidence, verified, then a verdict."""
