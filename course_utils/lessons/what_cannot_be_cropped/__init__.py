"""The elective on recurrent state under speculation: three ways back after a rejection."""
