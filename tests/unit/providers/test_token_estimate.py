"""The estimate of tokens says that it is one."""

from muniment.providers.tokens import EstimatedTokens, TokenCounter


def test_the_estimate_is_a_quarter_of_the_characters_rounded_up_and_labelled() -> None:
    counter: TokenCounter = EstimatedTokens()
    assert [counter.count(text) for text in ("", "a", "four", "fives", "日本語の文")] == [0, 1, 1, 2, 2]
    assert counter.label == "estimated at 4 characters a token"
