"""The command line: argparse, and nowhere below it."""
