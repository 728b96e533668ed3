"""The figure of this elective, drawn from what it draws it from: no model is asked."""

from course_utils.lessons.what_the_articles_got_wrong import claimed, figures

PICTURES = {"promises": lambda: figures.promises(claimed.printed_table())}
