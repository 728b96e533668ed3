"""Timing of passes and rounds, the speed that theory predicts from it, and recorded results."""
