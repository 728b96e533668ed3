"""What checks and repairs the lessons, and makes the site of them."""
