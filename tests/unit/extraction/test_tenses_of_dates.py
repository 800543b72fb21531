"""A date without a year, or a weekday, lies ahead or behind as its sentence tells."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment.extraction.time.events import event_times
from muniment.extraction.time.questions import question_times

SAID = datetime(2026, 3, 6, 17, tzinfo=UTC)  # a Friday, 18:00 there
CASES: tuple[tuple[str, str], ...] = (
    ("Let's meet on Sunday", "2026-03-08"),
    ("See you on 3 July.", "2026-07-03"),
    ("The deadline is 15 May.", "2026-05-15"),
    ("I'm flying to Oslo in August.", "2026-08-01"),
    ("Please submit the form by Tuesday.", "2026-03-10"),
    ("The concert is on 4 December.", "2026-12-04"),
    ("Die Hochzeit findet im September statt.", "2026-09-01"),
    ("On the first of June.", "2026-06-01"),
    ("I moved here in August.", "2025-08-01"),
    ("We went to Oslo on 3 July.", "2025-07-03"),
    ("The concert was on 4 December.", "2025-12-04"),
    ("I saw her on Sunday.", "2026-03-01"),
    ("mid-April", "2026-04-11"),
    ("The move is planned for mid-April.", "2026-04-11"),
    ("Classes begin in early September.", "2026-09-01"),
    ("Classes began in early September.", "2025-09-01"),
    ("The museum opens on 12 September.", "2026-09-12"),
    ("The museum opened on 12 September.", "2025-09-12"),
    ("I have a dentist appointment on 3 July.", "2026-07-03"),
    ("We have lived here since May.", ""),
    ("I've been to Rome in October.", "2025-10-01"),
    ("The store is closed on 25 December.", "2026-12-25"),
    ("The meeting takes place on Tuesday.", "2026-03-10"),
    ("Deadline: 15 May", "2026-05-15"),
    ("Can you come on Saturday?", "2026-03-07"),
    ("Did you go there in November?", "2025-11-01"),
    ("I will be glad that I joined on Monday", "2026-03-02"),
    ("We have an exam in two weeks.", "2026-03-16"),
    ("The rent is due on 1 April", "2026-04-01"),
    ("It was due on 1 December", "2025-12-01"),
    ("This is the dress I wore in July", "2025-07-01"),
    ("Here is the photo from 3 July", "2025-07-03"),
    ("Submit the report by Friday.", "2026-03-13"),
    ("I'm here until Tuesday.", ""),
    ("We stayed until Tuesday.", ""),
    ("The train leaves on Monday morning.", "2026-03-09"),
    ("Dinner with Tom's parents is on Saturday.", "2026-03-07"),
    ("The party's on 4 December", "2026-12-04"),
    ("Tom's birthday was in October", "2025-10-01"),
    ("I got my degree in July", "2025-07-01"),
    ("Der Termin ist am 3. Juli.", "2026-07-03"),
    ("Ich bin im August nach Oslo geflogen.", "2025-08-01"),
    ("Ich fliege im August nach Oslo.", "2026-08-01"),
    ("Wir haben im September geheiratet.", "2025-09-01"),
    ("Die Ausstellung beginnt am 12. September.", "2026-09-12"),
    ("Bitte das Formular bis Dienstag abgeben.", ""),
    ("Am 3. Juli war ich in Bonn.", "2025-07-03"),
    ("Die Firma zog im Oktober um.", "2025-10-01"),
    ("Die Prüfung wird am Freitag geschrieben.", "2026-03-13"),
    ("Ich habe am 3. Juli einen Termin.", "2026-07-03"),
    ("Le concert a lieu le 4 décembre.", "2026-12-04"),
    ("Le concert a eu lieu le 4 décembre.", "2025-12-04"),
    ("Je pars à Oslo en août.", "2026-08-01"),
    ("Nous avons visité Rome en juillet.", "2025-07-01"),
    ("Je suis allée à Rome en octobre.", "2025-10-01"),
    ("La réunion est mardi.", "2026-03-10"),
    ("L'exposition ouvrira le 12 septembre.", "2026-09-12"),
    ("La boda es en septiembre.", "2026-09-01"),
    ("El concierto fue el 4 de diciembre.", "2025-12-04"),
    ("Nos vemos el domingo.", "2026-03-08"),
    ("Viajamos a Oslo en agosto.", "2026-08-01"),
    ("Compré el coche en octubre.", "2025-10-01"),
    ("La exposición abre el 12 de septiembre.", "2026-09-12"),
    ("Se mudaron a Lima en noviembre.", "2025-11-01"),
    ("Вчера мы ходили в кино.", "2026-03-05"),
    ("Завтра экзамен.", "2026-03-07"),
    ("昨天我去了北京。", "2026-03-05"),
    ("昨日、映画を見た。", "2026-03-05"),
    ("明日会議があります。", "2026-03-07"),
    ("어제 영화를 봤다.", "2026-03-05"),
    ("Igår var jag på bio.", "2026-03-05"),
    ("I går var jeg i Bergen.", "2026-03-05"),
    ("Dün sinemaya gittim.", "2026-03-05"),
    ("Mañana tengo examen.", "2026-03-07"),
    ("Morgen fahre ich nach Bonn.", "2026-03-07"),
    ("Ich fahre morgen nach Bonn.", "2026-03-07"),
    ("Hier j'ai vu un film.", "2026-03-05"),
    ("Mâine merg la București.", "2026-03-07"),
    ("Eilen kävin elokuvissa.", "2026-03-05"),
    ("Ieri sono andato al cinema.", "2026-03-05"),
    ("The lecture on 15 May was cancelled.", "2025-05-15"),
    ("My sister's wedding is in September and we booked the hall in November.", "2026-09-01 2025-11-01"),
    ("I was ill, but the exam is on 3 July.", "2026-07-03"),
    ("When is the exhibition in September?", "2026-09-01"),
    ("What happened in May?", "2025-05-01"),
    ("We moved here, in May.", "2025-05-01"),
    ("She said she would love to meet on Friday.", "2026-03-13"),
    ("Happy to hear about your trip in October!", "2025-10-01"),
    ("It's great to hear about your trip in October!", "2025-10-01"),
    ("On 3 May, we will fly.", "2026-05-03"),
    ("The workshop will be held on 3 May.", "2026-05-03"),
    ("The election was held on 3 May.", "2025-05-03"),
    ("In October, I ran a marathon.", "2025-10-01"),
    ("We're getting married in October!", "2026-10-01"),
    ("Emma's show runs from 3 to 7 May.", "2026-05-03"),
    ("He retires in December.", "2026-12-01"),
    ("What did you do on Saturday?", "2026-02-28"),
    ("What are you doing on Saturday?", "2026-03-07"),
    ("Are you free on Thursday?", "2026-03-12"),
)  # fmt: skip
ASKED = datetime(2026, 6, 20, 12, tzinfo=UTC)
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("When is the exhibition in September?", "2026-09-01"),
    ("When was the exhibition in September?", "2025-09-01"),
    ("What happened in May?", "2026-05-01"),
    ("What did we lose in October?", "2025-10-01"),
    ("What takes place on 3 July?", "2026-07-03"),
    ("What took place on 3 July?", "2025-07-03"),
    ("Wann ist die Ausstellung im September?", "2026-09-01"),
    ("Wann war die Ausstellung im September?", "2025-09-01"),
    ("Was geschah in der 40. KW?", "2025-09-29"),
    ("Was ist im Oktober passiert?", "2025-10-01"),
    ("Que s'est-il passé en octobre ?", "2025-10-01"),
    ("Quand a lieu le concert de septembre 2026 ?", "2026-09-01"),
    ("¿Qué pasó en octubre?", "2025-10-01"),
    ("¿Cuándo es la boda en septiembre?", "2026-09-01"),
)


@pytest.mark.parametrize(("text", "days"), CASES)
def test_a_sentence_tells_whether_its_date_lies_ahead(text: str, days: str) -> None:
    zone = timezone(timedelta(hours=1))
    found = [each.start.astimezone(zone).date().isoformat() for each in event_times(text, SAID, 60)]
    assert " ".join(found) == days


@pytest.mark.parametrize(("question", "day"), QUESTIONS)
def test_a_question_tells_whether_its_time_lies_ahead(question: str, day: str) -> None:
    (span,) = question_times(question, ASKED, "english")
    assert span.start.date().isoformat() == day


def test_the_middle_of_a_month_is_read_without_its_year() -> None:
    (found,) = event_times("The move is planned for mid-April.", SAID, 0)
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == ("2026-04-11", "2026-04-21")
    (found,) = event_times("He came in late Aug.", SAID, 0)
    assert found.start.date().isoformat() == "2025-08-21"


@pytest.mark.parametrize("text", ["Guten Morgen zusammen!", "Am Morgen war ich müde.", "por la mañana"])
def test_a_morning_is_not_tomorrow(text: str) -> None:
    for language in ("german", "spanish", "dutch"):
        assert not [each for each in event_times(text, SAID, 0, language) if each.start > SAID]
