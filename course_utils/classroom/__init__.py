"""The kit of every lesson and of none: pictures, tables, exercises, questions, scenes."""
