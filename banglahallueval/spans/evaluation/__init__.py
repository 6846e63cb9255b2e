"""What detectors of spans are worth: from gold spans and detections to tables and a page."""
