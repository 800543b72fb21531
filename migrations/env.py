"""Alembic's environment: runs on the connection and transaction that the migration runner hands in."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, version_table_schema="muniment", transaction_per_migration=False)
context.run_migrations()
