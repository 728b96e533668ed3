"""What all lessons share: pictures, tables, exercises, questions, scenes."""
