"""Profiles of entities: what the live facts about a person, an organization or a thing say together, line by line."""
