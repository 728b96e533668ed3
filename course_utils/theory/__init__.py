"""What speculation is expected to gain: formulas of speed, without a clock."""
