"""What a Gleek player is told: against simulation, sums over hands, symmetries and the tables.

The counts behind the answers are held against complete deals in
`tests/analysis/exact/test_gleek_odds_exact.py`. Here the unseen cards of a question are dealt
directly and judged by the referee's rules.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gleek as referee
from scipy.stats import binom

from analysis.errors import InputError
from analysis.exact.counting import Counts
from analysis.exact.gleek import counts
from analysis.odds import Odds, Piece, odds
from analysis.odds.gleek import chance_table
from sims.cards import GLEEK as PACK
from sims.gleek import Rules
from sims.gleek.figures import INCOME, OUTCOME, RUFF, SEATS

Masks = NDArray[np.int64]

COUNTED_IN = Rules(turnup_in_ruff=True)
HAND = "AS KS QS 10S 7S AH KH 9H KD 8D 6C 4C"
#: Three courts of trumps may not be laid out: C(9, 7) = 36 lay-outs.
BUYER = "KS QS JS AH KH QH 9H AD KD 7D 5C 4C"
LAID_OUT = "AH KH QH 9H 7D 5C 4C"


def ask(hand: str, **known: Any) -> Odds:
    return odds("gleek", hand, **known)


@cache
def table(figure: str, rules: Rules) -> Counts:
    return counts(figure, rules)


def ways(found: Odds, piece: str = "ruff") -> list[int]:
    return [int(way) for way in found.piece(piece).ways]


# Simulated ---------------------------------------------------------------------------------------

DEALS = 100_000
#: One tail of the normal beyond five sigma.
FIVE_SIGMA_TAIL = 2.9e-7

SUIT_POINTS = np.array(
    [
        sum(
            referee.card_points(referee.Card(rank, "S"))
            for bit, rank in enumerate(PACK.ranks)
            if held >> bit & 1
        )
        for held in range(1 << 11)
    ]
)


def of_rank(rank: str) -> int:
    return PACK.mask_of(rank + suit for suit in PACK.suits)


def ruffs(hands: Masks) -> Masks:
    """GK-3.1, with 91 for four aces."""
    best: Masks = np.max([SUIT_POINTS[hands >> 11 * suit & 2047] for suit in range(4)], axis=0)
    best[(hands & of_rank("A")) == of_rank("A")] = 91
    return best


def held(hands: Masks, rank: str) -> Masks:
    """GK-4.1: no set, a gleek, a mournival."""
    number: Masks = np.bitwise_count(hands & of_rank(rank)).astype(np.int64)
    return (number - 2).clip(0)


def test_gk_3_1_and_4_1_the_judges_are_the_referee() -> None:
    rng = np.random.default_rng(31)
    hands = np.array([sum(1 << int(c) for c in rng.permutation(44)[:12]) for _ in range(500)])
    hands[:30] |= of_rank("A")
    cards = [[referee.card(text) for text in PACK.cards(mask)] for mask in hands.tolist()]
    found = [referee.ruff(hand) for hand in cards]
    assert ruffs(hands).tolist() == [91 if four_aces else total for four_aces, total in found]
    for rank in "AKQJ":
        sets = [{each: name for name, each in referee.sets(hand)}.get(rank) for hand in cards]
        names = [(None, "gleek", "mournival")[kind] for kind in held(hands, rank).tolist()]
        assert names == sets


def deal(seen: int, sizes: list[int], seed: int) -> list[Masks]:
    """Hands of these sizes of the cards not seen, shuffled."""
    unseen = np.array([1 << card for card in range(44) if not seen >> card & 1], np.int64)
    shuffled = np.random.default_rng(seed).permuted(np.tile(unseen, (DEALS, 1)), axis=1)
    ends = np.cumsum([0, *sizes]).tolist()
    return [shuffled[:, first:last].sum(axis=1) for first, last in pairwise(ends)]


def simulated(found: Odds, seed: int) -> dict[str, NDArray[np.int64]]:
    """The pieces of an answer, counted over deals of its question."""
    question = found.question
    seat = SEATS.index(question.seat)
    hand, turnup, laid_out, known = (
        PACK.read(text)
        for text in (question.hand, question.turnup, question.laid_out, question.known)
    )
    seen = hand | turnup | laid_out | known
    after = question.laid_out and question.stock == "none"
    certain = hand & ~laid_out | known if after else hand
    own, *hands, up = deal(seen, [12 - certain.bit_count(), 12, 12, 0 if turnup else 1], seed)
    hands.insert(seat, own | certain)
    counted = [ruffs(cards) for cards in hands]
    if question.rules.turnup_in_ruff:
        counted[2] = ruffs(hands[2] | up | turnup)
    mine, others = counted[seat], np.delete(counted, seat, axis=0)
    pieces = {"ruff": outcomes(counted, seat)}
    rows = np.full(92, -1)
    rows[[label for (label,) in RUFF.labels if isinstance(label, int)]] = range(73)
    rows[91] = 73
    pieces["ruff_after" if after else "own_ruff"] = np.bincount(rows[mine], minlength=74)
    pieces["their_ruff"] = np.bincount(rows[others.max(axis=0)], minlength=74)
    chips = np.zeros(DEALS, np.int64)
    number = np.zeros(DEALS, np.int64)
    for rank, name, pay in zip(
        "AKQJ", ("aces", "kings", "queens", "jacks"), (4, 3, 2, 1), strict=True
    ):
        kinds = [held(cards, rank) for cards in hands]
        first, second = np.delete(kinds, seat, axis=0)
        pieces[f"their_{name}"] = np.bincount(first + np.where(second, second + 2, 0), minlength=5)
        pieces[f"{name}_after"] = np.bincount(kinds[seat], minlength=3)
        number += kinds[seat] > 0
        chips += pay * kinds[seat]
    pieces["sets_after"] = np.bincount(number, minlength=5)
    pieces["income_after"] = np.bincount(chips, minlength=19)[[*range(17), 18]]
    return pieces


def outcomes(counted: list[Masks], seat: int) -> NDArray[np.int64]:
    """GK-3.4: alone; tied and won; tied and lost; beaten."""
    mine, best = counted[seat], np.max(counted, axis=0)
    tied = np.sum([ruff == mine for ruff in counted], axis=0) > 1
    first = np.argmax(counted, axis=0) == seat
    number = np.select([mine < best, tied & first, tied], [3, 1, 2], 0)
    return np.bincount(number, minlength=4)


def tail(counted: NDArray[np.int64], piece: Piece) -> float:
    """The smallest binomial tail of all classes."""
    at_most = binom.cdf(counted, DEALS, piece.chances)
    at_least = binom.sf(counted - 1, DEALS, piece.chances)
    return float(np.minimum(at_most, at_least).min())


QUESTIONS: dict[str, dict[str, Any]] = {
    "as dealt": {"hand": HAND, "seat": "eldest"},
    "the turn-up counts for another": {
        "hand": HAND,
        "seat": "second",
        "turnup": "AD",
        "rules": COUNTED_IN,
    },
    "an unknown turn-up counts for him": {"hand": HAND, "seat": "dealer", "rules": COUNTED_IN},
    "an unknown turn-up counts for another": {
        "hand": "KS QS JS 10S 7S 6H KH 9H KD 8D 6C 4C",
        "seat": "eldest",
        "rules": COUNTED_IN,
    },
    "at least these": {"hand": "AS KS JH 9D", "seat": "second", "known": "AC 10C"},
    "at least these after the purchase": {
        "hand": "KS QS JS 9S",
        "seat": "dealer",
        "turnup": "4D",
        "stock": "mine",
        "laid_out": "4H 5H 6H 7D 8D 9D 4C",
    },
    "a lay-out": {"hand": BUYER, "seat": "second", "turnup": "4S", "laid_out": LAID_OUT},
    "a lay-out of the dealer who counts": {
        "hand": BUYER,
        "seat": "dealer",
        "turnup": "AS",
        "laid_out": LAID_OUT,
        "rules": COUNTED_IN,
        "known": "QD 9D",
    },
}


@pytest.mark.parametrize("case", QUESTIONS)
def test_deals_of_a_question_are_as_counted(case: str) -> None:
    """Some 900 classes over all questions, two tails each: a false alarm in 1 900 seeds."""
    found = ask(**QUESTIONS[case])
    judged = simulated(found, 2026)
    for piece in found.answer.pieces:
        assert judged[piece.name].sum() == DEALS
        assert tail(judged[piece.name], piece) > FIVE_SIGMA_TAIL, piece.name


@pytest.mark.parametrize(
    ("case", "changed", "piece"),
    [
        ("as dealt", {"seat": "second"}, "ruff"),
        ("the turn-up counts for another", {"rules": Rules()}, "their_ruff"),
        ("at least these", {"hand": "KS JH 9D 8C"}, "ruff"),
        ("a lay-out", {"laid_out": "AH KH QH 7D 5C 4C AD"}, "income_after"),
    ],
)
def test_deals_of_another_question_are_caught(
    case: str, changed: dict[str, Any], piece: str
) -> None:
    """Negative controls."""
    judged = simulated(ask(**QUESTIONS[case]), 2026)[piece]
    other = ask(**(QUESTIONS[case] | changed))
    assert tail(judged, other.piece(piece)) < FIVE_SIGMA_TAIL


# Sums and symmetries -----------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "rules"), [(1, Rules()), (2, COUNTED_IN)])
def test_gk_3_4_a_player_who_names_no_card_wins_as_his_seat_does(seat: int, rules: Rules) -> None:
    found = ask("", seat=SEATS[seat], rules=rules)
    whole = table("odds-ruff", rules)
    assert found.piece("ruff").total == whole.total
    assert ways(found) == whole.ways[SEATS[seat]].sum(axis=0).tolist()
    assert ways(found, "own_ruff") == whole.ways[SEATS[seat]].sum(axis=1).tolist()


@pytest.mark.parametrize("seat", SEATS)
def test_at_least_these_is_the_sum_over_the_rest(seat: str) -> None:
    """Eleven cards and each of the 32 that may be the twelfth."""
    cards = HAND.split()[:11]
    asked = {"seat": seat, "turnup": "AC", "rules": COUNTED_IN}
    whole = [
        ask(" ".join([*cards, card]), **asked)
        for card in map(PACK.text, range(44))
        if card not in (*cards, "AC")
    ]
    part = ask(" ".join(cards), **asked)
    assert len(whole) == 32
    for piece in ("ruff", "their_ruff", "their_kings", "their_jacks"):
        total = sum(each.piece(piece).total for each in whole)
        chances = [Fraction(way, part.piece(piece).total) for way in ways(part, piece)]
        sums = [sum(column) for column in zip(*(ways(each, piece) for each in whole), strict=True)]
        assert chances == [Fraction(way, total) for way in sums]


def relabelled(cards: str) -> str:
    return cards.translate(str.maketrans("SHDC", "DCSH"))


@pytest.mark.parametrize("case", QUESTIONS)
def test_other_names_of_the_suits_change_nothing(case: str) -> None:
    question = QUESTIONS[case]
    texts = {"hand", "turnup", "known", "laid_out"}
    other = {key: relabelled(v) if key in texts else v for key, v in question.items()}
    one, two = ask(**question), ask(**other)
    for mine, same in zip(one.answer.pieces, two.answer.pieces, strict=True):
        assert mine.name == same.name
        assert mine.ways.tolist() == same.ways.tolist()
    assert one.answer.lead.split(". ", 1)[-1] == two.answer.lead.split(". ", 1)[-1]


def test_gk_3_4_the_seat_decides_ties_alone() -> None:
    eldest, second, dealer = (ways(ask(HAND, seat=seat)) for seat in SEATS)
    assert eldest[0] == second[0] == dealer[0]
    assert eldest[3] == second[3] == dealer[3]
    assert eldest[1] == dealer[2] == second[1] + second[2]
    assert eldest[2] == dealer[1] == 0
    assert 0 < second[1] < second[2]  # of three equal ones he loses


def test_gk_4_1_both_others_hold_sets_as_often() -> None:
    found = ask("AS AH KS 4S 5S 6S 4H 5H 6H 4D 5D 6D", seat="second")
    kings, jacks = found.piece("their_kings"), found.piece("their_jacks")
    assert kings.chance("eldest", "gleek") == kings.chance("dealer", "gleek") > 0
    assert kings.chance("eldest", "mournival") == 0
    assert jacks.chance("eldest", "mournival") == jacks.chance("dealer", "mournival") > 0
    # Two aces are left: no set.
    assert found.piece("their_aces").chance(None, "none") == 1
    # Four jacks among 32 unseen cards, in either hand of twelve.
    four = Fraction(12 * 11 * 10 * 9, 32 * 31 * 30 * 29)
    assert jacks.chance("dealer", "mournival") == pytest.approx(float(four), rel=1e-12)


def test_gk_3_1_four_aces_win_and_are_no_longer_theirs() -> None:
    found = ask("AS AH AD AC 4S 5S 6S 7S 8S 9S 10S JS", seat="dealer")
    assert ways(found) == [found.piece("ruff").total, 0, 0, 0]
    assert found.piece("their_ruff").chance("four aces") == 0
    with_one = ask("4S 5S 6S 7S 8S 9S 10S 4H 5H 6H 7H 8H", seat="eldest", turnup="AS")
    assert with_one.piece("their_ruff").chance("four aces") == 0
    counting = ask(
        "4S 5S 6S 7S 8S 9S 10S 4H 5H 6H 7H 8H", seat="eldest", turnup="AS", rules=COUNTED_IN
    )
    # The dealer holds the other three aces, of 31 unseen cards.
    three = Fraction(12 * 11 * 10, 31 * 30 * 29)
    four_aces = counting.piece("their_ruff").chance("four aces")
    assert four_aces == pytest.approx(float(three), rel=1e-12)


# Lay-outs ----------------------------------------------------------------------------------------


def all_layouts(hand: str, trump: str) -> list[str]:
    barred = {rank + trump for rank in "AKQJ"}
    free = [card for card in hand.split() if card not in barred]
    return [" ".join(cards) for cards in combinations(free, 7)]


@pytest.mark.parametrize(("seat", "rules"), [("second", Rules()), ("dealer", COUNTED_IN)])
def test_gk_2_3_the_best_lay_out_is_the_best_of_all(seat: str, rules: Rules) -> None:
    asked: dict[str, Any] = {"seat": seat, "turnup": "AS", "rules": rules}
    wins, chips = {}, {}
    incomes = [int(str(label)) for (label,) in INCOME.labels]
    for laid_out in all_layouts(BUYER, "S"):
        after = ask(BUYER, laid_out=laid_out, **asked)
        wins[laid_out] = sum(ways(after)[:2])
        income = ways(after, "income_after")
        chips[laid_out] = sum(c * way for c, way in zip(incomes, income, strict=True))
    assert len(wins) == 36
    for aim, values, others in (("ruff", wins, chips), ("sets", chips, wins)):
        found = ask(BUYER, aim=aim, **asked)
        name = {"ruff": "the ruff", "sets": "sets"}[aim]
        start, rest = found.answer.lead.split(". ", 1)
        laid_out = start.removeprefix(f"The best lay-out for {name} is ")
        best = max(values.values())
        again = next(each for each in values if set(each.split()) == set(laid_out.split()))
        assert values[again] == best
        equal = [each for each in values if values[each] == best]
        assert others[again] == max(others[each] for each in equal)
        assert (len(equal) > 1) == any(
            note.startswith(f"{len(equal)} lay-outs are as good") for note in found.answer.notes
        )
        plain = ask(BUYER, laid_out=laid_out, **asked)
        assert plain.answer.lead == f"You lay out {laid_out}. {rest}"
        for mine, same in zip(found.answer.pieces, plain.answer.pieces, strict=True):
            assert mine.ways.tolist() == same.ways.tolist()
        (following,) = (n for n in found.answer.notes if n.startswith("The next best is "))
        second = following.removeprefix("The next best is ").partition(":")[0]
        below = {set_: value for set_, value in values.items() if value < best}
        named = next(each for each in values if set(each.split()) == set(second.split()))
        assert values[named] == max(below.values())


def test_gk_2_4_no_trump_honour_is_laid_out() -> None:
    """Of twelve cards without any but trump honours and small ones, eight are free."""
    hand = "AS KS QS JS 4H 5H 6H 7H 4D 5D 6D 7D"
    found = ask(hand, aim="ruff", turnup="4S", seat="eldest")
    laid_out = found.answer.lead.split(". ")[0].removeprefix("The best lay-out for the ruff is ")
    assert set(laid_out.split()) < set(hand.split()[4:])
    with pytest.raises(InputError, match="laid-out cards: JS may not be laid out: a trump honour"):
        ask(hand, laid_out="JS 4H 5H 6H 7H 4D 5D", turnup="4S")
    ask(hand, laid_out="JS 4H 5H 6H 7H 4D 5D", turnup="4C")


def test_gk_4_2_mean_income_before_and_after() -> None:
    """Three aces kept: the fourth is among the seven of 31 with chance 7/31."""
    hand = "AS AH AD 4S 5S 6S 4H 5H 6H 4D 5D 6D"
    found = ask(hand, laid_out="4S 5S 6S 4H 5H 6H 4D", turnup="9C", seat="eldest")
    aces = found.piece("aces_after")
    assert aces.chance("mournival") == pytest.approx(7 / 31, rel=1e-12)
    assert aces.chance("gleek") == pytest.approx(24 / 31, rel=1e-12)
    assert found.piece("ruff_after").chance("four aces") == pytest.approx(7 / 31, rel=1e-12)


def test_known_cards_come_with_the_stock() -> None:
    asked = {"turnup": "9C", "laid_out": "4S 5S 6S 4H 5H 6H 4D", "seat": "eldest"}
    found = ask("AS AH AD 4S 5S 6S 4H 5H 6H 4D 5D 6D", known="AC", **asked)
    assert found.piece("aces_after").chance("mournival") == 1
    assert any("lie in the stock" in note for note in found.answer.notes)


# By class ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", range(3))
def test_by_class_is_the_row_of_the_table(seat: int) -> None:
    found = ask(HAND, seat=SEATS[seat], by_class=True)
    row = RUFF.labels.index((48,))
    expected = table("odds-ruff", Rules()).ways[SEATS[seat]][row]
    assert ways(found) == expected.tolist()
    chances = chance_table(Rules())[seat, row]
    assert chances.tolist() == found.piece("ruff").chances.tolist()


def test_gk_3_1_by_class_a_dealer_counts_his_turn_up() -> None:
    asked: dict[str, Any] = {"seat": "dealer", "rules": COUNTED_IN, "by_class": True}
    found = ask(HAND, turnup="JS", **asked)
    row = RUFF.labels.index((58,))
    assert ways(found) == table("odds-ruff", COUNTED_IN).ways["dealer"][row].tolist()
    with pytest.raises(InputError, match="needs --turnup"):
        ask(HAND, **asked)
    with pytest.raises(InputError, match="--turnup contradicts --by class"):
        ask(HAND, turnup="JS", **(asked | {"seat": "second"}))


def test_chance_tables_sum_to_one() -> None:
    apart, counted_in = chance_table(Rules()), chance_table(COUNTED_IN)
    for chances in (apart, counted_in):
        assert chances.shape == (3, len(RUFF), len(OUTCOME))
        assert chances.dtype == np.float64
    np.testing.assert_allclose(apart.sum(axis=2), 1, rtol=1e-12)
    # Thirteen cards hold four of a suit: 4 + 5 + 6 + 7 is the least.
    impossible = [int(np.isnan(chances).all(axis=1).sum()) for chances in counted_in]
    assert impossible == [0, 0, 22 - 15]
    # A better ruff is beaten less often; but 79 lacks the ace of its suit, and lets others have it.
    beaten = dict(zip(RUFF.labels, apart[0, :, 3].tolist(), strict=True))
    assert all(beaten[(total,)] >= beaten[(total + 1,)] for total in range(15, 71))
    assert beaten[(78,)] < beaten[(79,)]


# What is said, what is refused -------------------------------------------------------------------


def test_the_lead_says_what_was_counted() -> None:
    found = ask(HAND, turnup="QC", seat="second")
    ruff, queens = found.piece("ruff"), found.piece("their_queens")
    wins = 100 * (ruff.chance("alone") + ruff.chance("tied, won"))
    assert found.answer.lead.startswith(f"Your ruff of 48 wins {wins:.1f} % of the time, in a tie")
    assert queens.chance(None, "none") == 1
    assert " of queens" not in found.answer.lead
    assert found.answer.notes == ("As dealt: nobody has bought the stock.",)
    assert ask("", rules=COUNTED_IN).answer.notes == (
        "No seat was named: you are eldest.",
        "As dealt: nobody has bought the stock.",
        "The hand holds at least these cards: averaged over the others.",
        "The turn-up is not known: averaged over all it may be.",
    )
    known = ask(HAND, known="4S", seat="second").answer.notes
    assert known[-1] == "The known cards count as revealed at random."


def test_without_seat_the_player_is_eldest() -> None:
    assert ways(ask(HAND)) == ways(ask(HAND, seat="eldest"))
    assert ask(HAND).answer.notes[0] == "No seat was named: you are eldest."


SEVEN = "AH KH QH 9H 7D 5C 4C"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"hand": "AS 3S"}, "hand: no card '3S'"),
        ({"hand": "AS as"}, "hand: card 'as' is there twice"),
        ({"hand": f"{HAND} 4S"}, "has 13 cards: at most 12 cards"),
        ({"hand": "AS", "turnup": "AS"}, "turn-up: AS is there already"),
        ({"hand": "AS", "turnup": "KS QS"}, "turn-up 'KS QS' has 2 cards: at most one card"),
        ({"hand": "AS", "turnup": "KS", "known": "4S KS"}, "known cards: KS is there already"),
        ({"hand": HAND, "known": "4S 5S 6S 8S 9S JS 4H 5H"}, "has 8 cards: at most 7 cards"),
        ({"hand": HAND, "seat": "mano"}, "no seat 'mano'"),
        ({"hand": HAND, "partner": "4S"}, "--partner says nothing in gleek"),
        ({"hand": HAND, "cards": 4}, "--cards says nothing in gleek"),
        ({"hand": HAND, "against": "4S"}, "--against says nothing in gleek"),
        ({"hand": HAND, "stock": "theirs"}, "what another lays out is his choice"),
        ({"hand": HAND, "stock": "my"}, "no stock 'my'"),
        ({"hand": HAND, "aim": "rough"}, "no aim 'rough': allowed are ruff, sets"),
        ({"hand": HAND, "aim": "ruff"}, "needs --turnup"),
        ({"hand": HAND, "stock": "mine", "laid_out": SEVEN}, "needs --turnup"),
        ({"hand": "AS KS", "aim": "ruff", "turnup": "4S"}, "needs all 12 cards of the hand, not 2"),
        (
            {"hand": HAND, "aim": "ruff", "turnup": "4S", "stock": "mine"},
            "--stock mine contradicts --aim",
        ),
        (
            {"hand": HAND, "aim": "ruff", "turnup": "4S", "laid_out": "AS"},
            "--laid-out contradicts --aim",
        ),
        (
            {"hand": HAND, "turnup": "4S", "laid_out": "AS KS"},
            "laid-out cards: 7 are needed, not 2",
        ),
        ({"hand": HAND, "turnup": "4S", "stock": "mine"}, "laid-out cards: 7 are needed, not 0"),
        (
            {"hand": HAND, "turnup": "4S", "laid_out": "10S 7S 9H 8D 6C 4C 5C"},
            "laid-out cards: 5C is not in the hand",
        ),
        (
            {"hand": HAND, "turnup": "4S", "stock": "mine", "laid_out": "4C 5C 6H 7H 8H 4H 5H"},
            "laid-out cards: 4C is there already",
        ),
        (
            {"hand": HAND, "turnup": "4S", "laid_out": "10S 7S 9H 8D 6C 4C 4S"},
            "laid-out cards: 4S is there already",
        ),
        (
            {
                "hand": HAND,
                "turnup": "4D",
                "stock": "mine",
                "laid_out": "4H 5H 6H 7D 8S 9D 5C",
                "known": "6S",
            },
            "--known says nothing with --stock mine",
        ),
        (
            {"hand": HAND, "turnup": "4D", "stock": "mine", "laid_out": "4H 5H 6H 7D JD 9D 5C"},
            "laid-out cards: JD may not be laid out: a trump honour",
        ),
        ({"hand": "AS KS", "by_class": True}, "--by class needs all 12 cards"),
        ({"hand": HAND, "by_class": True, "known": "4S"}, "--known contradicts --by class"),
        ({"hand": HAND, "by_class": True, "stock": "mine"}, "--stock contradicts --by class"),
        ({"hand": HAND, "by_class": True, "aim": "ruff"}, "--aim contradicts --by class"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        ask(**asked)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("case", QUESTIONS)
def test_every_piece_is_a_distribution(case: str) -> None:
    found = ask(**QUESTIONS[case])
    names = [piece.name for piece in found.answer.pieces]
    assert len(set(names)) == len(names)
    for piece in found.answer.pieces:
        assert piece.ways.shape == tuple(len(axis) for axis in piece.axes)
        assert sum(map(int, piece.ways)) == piece.total
    assert len(found.frame) == sum(piece.ways.size for piece in found.answer.pieces)
    assert repr(found).startswith(f"Gleek: {found.question.hand}\n\n{found.answer.lead}")
