"""Time expressions in text, and the times of which a record tells."""
