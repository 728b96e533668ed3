"""The elective on one's own server: broken, found from outside, planned for, reported."""
