"""Loopback servers that tests and benches talk to over real sockets."""
