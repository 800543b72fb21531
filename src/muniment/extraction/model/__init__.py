"""Facts by a language model: windows of turns, what is asked of them, and what of the reply is believed."""
