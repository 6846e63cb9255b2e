"""Vision-language hallucination (Hal-Eval), of captions and of descriptions."""
