"""Qwen3 in two forms with the same logits, its batches, trees and heads."""
