"""Descriptions of pictures, and a judge of what they hallucinate."""
