"""A quotation is judged by the sentence that it was clipped from: one that doubts, supposes or denies tells nothing."""

import pytest

from muniment.extraction.doubt import doubted

# what is quoted stands between brackets; the last word of it is what the fact is about
DOUBTED = """
I don't think [Olga resides in Soest].
I don't really believe that [Olga resides in Soest].
I doubt [Olga resides in Soest].
Nobody says that [Olga resides in Soest].
It is not true that [Olga resides in Soest].
It isn't the case that [Olga resides in Soest], I am afraid.
Tom denies that [Olga resides in Soest].
It is false that [Olga resides in Soest].
[Olga resides in Soest] is a lie.
[Olga resides in Soest] is simply not true.
[Berta resides in Mainz] if she gets the job.
[Berta resides in Mainz] unless the flat is sold.
[Berta resides in Mainz] as long as her mother lives there, or else in Kiel.
Well [if Karl takes it he works at Fiat].
Well if Karl takes it, [he works at Fiat].
Provided that she passes, [Berta works at Fiat].
Should she pass, [Berta works at Fiat].
Had she passed, [Berta works at Fiat] by now.
Suppose [Olga resides in Soest]: what then?
She joked that [Ivo works at BMW].
She pretended that [Ivo works at BMW].
He dreamed that [Ivo works at BMW].
Perhaps [Ivo works at BMW].
[Ivo works at BMW], maybe.
[Ivo works at BMW], or so he says.
[Ivo works at BMW], I guess.
[Ivo works at BMW] - not!
[Ivo works at BMW]. Just kidding!
[Ivo] might [work at BMW].
I hope that [Ivo works at BMW] soon.
I wish [Ivo worked at BMW].
There is a rumour that [Ivo works at BMW].
Tom thinks [Ivo works at BMW].
Tom claims that [Ivo works at BMW].
According to some, [Ivo works at BMW].
Does anybody know whether [Ivo works at BMW]?
Let's say [Ivo works at BMW].
In the novel, [Ivo works at BMW].
For example: [Ivo works at BMW].
Ann wants to [work at BMW].
Ann tried to [work at BMW].
It looks like [Ivo works at BMW].
They say [Ivo works at BMW].
There is no evidence that [Ivo works at BMW].
Someone told me that [Ivo works at BMW], but I'm not sure.
[Ivo would work at BMW] otherwise.
I don't know whether [Olga lives in Soest].
I wonder if [Olga lives in Soest].
According to Tom, [she lives in Soest].
Apparently, [she lives in Soest].
I doubt (as I told Tom) that [Olga lives in Soest].
If she passes (in May), [Berta works at Fiat].
It's unlikely that [Olga lives in Soest].
It is possible that [Olga lives in Soest].
""".strip().splitlines()
SURE = """
[Olga resides in Soest], and I don't think that she will move.
I don't think that she will move, but [Olga resides in Soest].
[Olga resides in Soest]; I doubt that she likes it.
[Olga resides in Soest] because she could not find a flat elsewhere.
[Olga resides in Soest] and she hopes for a garden.
[Olga resides in Soest]. I think it rains there.
I think it rains. [Olga resides in Soest].
[Olga resides in Soest], if I remember correctly.
If you ask me, [Olga resides in Soest] like a queen.
I wonder whether it rains, and [I work at Fiat].
My boss told me that [Karl works at Fiat].
He said so himself: [Karl works at Fiat].
[Karl works at Fiat], which would be too far for me.
[Karl works at Fiat] although he never liked cars.
I was not sure about the weather, so [I work at Fiat] today.
Nobody helped me, but [I work at Fiat] now.
[I like coffee], not tea.
[Karl works at Fiat] (I hope he likes it).
I can't believe [my brother works at Fiat]!
I didn't know that [my brother works at Fiat].
It's not that I hate it, [I work at Fiat].
I'm so excited, [I got a job at Fiat]!
[We live in Lyon], not far from the station.
I would love to visit, since [I live in Lyon].
You should meet Ivo, [he works at BMW].
[Karl works at Fiat] (I hope so for him) and likes it.
I know that [Olga lives in Soest].
""".strip().splitlines()


def _told(marked: str) -> bool:
    first = marked.index("[")
    text = marked.replace("[", "").replace("]", "")
    end = marked.rindex("]") - (2 * marked.count("[") - 1)
    return not doubted(text, first, end, [text[first:end].split()[-1].casefold()], ["resides"])


@pytest.mark.parametrize("marked", DOUBTED)
def test_what_a_sentence_does_not_say_for_sure_is_not_told(marked: str) -> None:
    assert not _told(marked)


@pytest.mark.parametrize("marked", SURE)
def test_what_other_clauses_doubt_is_told(marked: str) -> None:
    assert _told(marked)


@pytest.mark.parametrize(
    ("text", "relation"),
    [("Eva hopes for rain.", "hopes"), ("Eva wants to sail.", "wants"), ("Eva dreamed of Rome.", "dreams")],
)
def test_what_is_told_may_be_a_hope_itself(text: str, relation: str) -> None:
    word = text.rstrip(".").split()[-1].casefold()
    assert not doubted(text, 0, len(text), [word], [relation])
    assert doubted(f"Maybe {text}", 6, 6 + len(text), [word], [relation])
