"""What memory is asked to do, by concepts: the asyncio form, whatever stands behind it."""
