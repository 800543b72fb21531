"""The authorization server: OAuth 2.1 on authlib, its tokens, and the tokens of other issuers."""
