"""Timing of passes and rounds, the speed that theory predicts from them, and recorded results."""
