"""What a process of ours tells of itself: which request a log line belongs to, metrics, traces. Never any content."""
