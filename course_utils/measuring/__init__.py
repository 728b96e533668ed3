"""What takes how long, what theory says of it, and the bench against transformers."""
