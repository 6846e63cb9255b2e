"""How far automatic scores agree with people's."""
