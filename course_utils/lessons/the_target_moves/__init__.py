"""The elective on rollouts: a target that learns, and texts of its last epoch as drafts."""
