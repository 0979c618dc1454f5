"""The worked values of the three rule pages, as far as the plain referees reach.

The names cite the clauses: gn Gilten, gy Giley, gk Gleek.
"""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from reference import giley, gilten, gleek

# --- Gilten --------------------------------------------------------------------------------

GILTEN_TIES: tuple[gilten.Tie, ...] = ("stands", "forehand", "trump_then_forehand")
GILTEN_FIGURES: tuple[gilten.Figure, ...] = ("gleich", "hanger")


def gilten_hands(*texts: str) -> list[tuple[gilten.Card, ...]]:
    return [gilten.cards(text) for text in texts]


def gilten_deal(rng: random.Random, players: int) -> tuple[list[list[gilten.Card]], gilten.Card]:
    dealt = rng.sample(gilten.PACK, 5 * players + 1)
    return [dealt[5 * seat : 5 * seat + 5] for seat in range(players)], dealt[-1]


@pytest.fixture(scope="module")
def all_gilten_hands() -> Counter[tuple[int, int]]:
    """All hands of five, counted by size of Gleich and length of Hanger (0: none)."""
    counts: Counter[tuple[int, int]] = Counter()
    for hand in combinations(gilten.PACK, 5):
        same, run = gilten.gleich(hand), gilten.hanger(hand)
        counts[same[0] if same else 0, run[0] if run else 0] += 1
    return counts


def test_gn_1_1_pack() -> None:
    assert len(set(gilten.PACK)) == len(gilten.PACK) == 32
    assert gilten.card("10H") == gilten.Card("10", "H")
    assert gilten.card("UE") == gilten.Card("U", "E")
    with pytest.raises(ValueError, match="6E"):
        gilten.card("6E")


def test_gn_3_1_all_hands_by_gleich(all_gilten_hands: Counter[tuple[int, int]]) -> None:
    sizes: Counter[int] = Counter()
    for (size, _), count in all_gilten_hands.items():
        sizes[size] += count
    assert sum(sizes.values()) == comb(32, 5) == 201_376
    assert sizes == {0: 57_344, 2: 131_712, 3: 12_096, 4: 224}


def test_gn_3_2_all_hands_by_hanger(all_gilten_hands: Counter[tuple[int, int]]) -> None:
    lengths: Counter[int] = Counter()
    for (_, length), count in all_gilten_hands.items():
        lengths[length] += count
    assert lengths == {0: 106_224, 2: 85_968, 3: 8_640, 4: 528, 5: 16}


def test_gn_3_4_all_hands_with_neither(all_gilten_hands: Counter[tuple[int, int]]) -> None:
    assert all_gilten_hands[0, 0] == 28_560


@pytest.mark.parametrize(
    ("text", "same", "run"),
    [
        ("7E 7L 7H 8E 9E", (3, "7"), (3, "9")),  # the worked hand
        ("7E 7L 7H 7S AE", (4, "7"), None),
        ("7E 7L AE AL OH", (2, "A"), None),  # the single best Gleich
        ("7E 7L 7H AE AL", (3, "7"), None),
        ("AE 7E KL 8L UH", None, None),  # no turning the corner
        ("7E 8E OE KE AE", None, (3, "A")),
        ("7E 8E KE AE UL", None, (2, "A")),  # two runs of one suit
        ("7E 9E UE KE 10L", None, None),
        ("9E 10E UE OE KE", None, (5, "K")),
    ],
)
def test_gn_3_1_gn_3_2_gn_3_4_figures(
    text: str, same: tuple[int, str] | None, run: tuple[int, str] | None
) -> None:
    assert gilten.gleich(gilten.cards(text)) == same
    assert gilten.hanger(gilten.cards(text)) == run


def test_gn_3_1_quartet_beats_triplet() -> None:
    key = gilten.gleich_key
    assert key((3, "A")) > key((3, "K"))
    assert key((4, "7")) > key((3, "A")) > key((2, "A")) > key((2, "7")) > key(None)
    ladder = [key((size, rank)) for size in (2, 3, 4) for rank in gilten.RANKS]
    assert ladder == sorted(ladder)
    assert len(set(ladder)) == 24


def test_gn_3_2_longer_hanger_beats_higher() -> None:
    key = gilten.hanger_key
    assert key((3, "9")) > key((2, "A")) > key((2, "K")) > key(None)
    assert gilten.hanger(gilten.cards("9E 10E UE AL 7H")) == gilten.hanger(
        gilten.cards("9S 10S US AH 7L")
    )


def test_gn_3_1_gn_3_2_cards_of_the_figure() -> None:
    hand = gilten.cards("7E 7L 7H 8E 9E")
    assert gilten.gleich_cards(hand) == set(gilten.cards("7E 7L 7H"))
    assert gilten.hanger_cards(hand) == [set(gilten.cards("7E 8E 9E"))]
    twice = gilten.cards("KE AE KH AH 7S")
    assert gilten.hanger_cards(twice) == [
        set(gilten.cards("KE AE")),
        set(gilten.cards("KH AH")),
    ]
    assert gilten.hanger_cards(gilten.cards("KE AE 7H 8H 9H")) == [set(gilten.cards("7H 8H 9H"))]
    nothing = gilten.cards("7E 9L UH KS AE")
    assert gilten.gleich_cards(nothing) == set()
    assert gilten.hanger_cards(nothing) == []


def test_gn_3_5_team_figure_is_the_better_of_two() -> None:
    first, second = gilten_hands("7E 7L 7H 8E 9E", "AE AL KL OS US")
    assert gilten.team_figure([first, second], "gleich") == (3, "7")
    assert gilten.team_figure([first, second], "hanger") == (3, "9")
    assert gilten.team_figure([second], "hanger") == (2, "A")
    assert gilten.team_figure(gilten_hands("7E 9L UH KS AE"), "gleich") is None


def test_gn_3_1_equal_pairs_stand_between_teams_and_not_inside_one() -> None:
    deal = gilten_hands("AE AL 7E 9L UH", "AH AS 8E 10L OH", "7S 9H US KE 8L", "9S OE KL 10H 7H")
    turnup = gilten.card("10S")
    assert gilten.outcome(deal, turnup, "gleich") == "stands"
    inside = [deal[0], deal[2], deal[1], deal[3]]  # both pairs of aces on one side
    for tie in GILTEN_TIES:
        assert gilten.outcome(inside, turnup, "gleich", tie) == "ours"
        assert gilten.outcome(inside[1:] + inside[:1], turnup, "gleich", tie) == "theirs"


def test_gn_3_5_stands_and_none_are_told_apart() -> None:
    none = gilten_hands("7E 9L UH KS AE", "7L 9E US KH AL")
    assert gilten.outcome(none, gilten.card("8S"), "gleich") == "none"
    for tie in GILTEN_TIES:
        assert gilten.outcome(none, gilten.card("8S"), "hanger", tie) == "none"
    level = gilten_hands("9E 10E UE AL 7H", "9S 10S US AH 7L")
    assert gilten.outcome(level, gilten.card("8S"), "hanger") == "stands"
    assert gilten.outcome(level, gilten.card("8S"), "hanger", "forehand") == "ours"
    assert gilten.outcome(level, gilten.card("8S"), "hanger", "trump_then_forehand") == "theirs"
    assert gilten.outcome(level, gilten.card("8L"), "hanger", "trump_then_forehand") == "ours"


@pytest.mark.parametrize(
    ("deal", "turnup", "forehand", "trump"),
    [
        # seat 1 holds K-A in two suits, and it is enough that one is trumps
        (("KE AE 7L 9L 7S", "KL AL KH AH 8E"), "OH", "ours", "theirs"),
        (("KE AE 7L 9L 7S", "KL AL KH AH 8E"), "OL", "ours", "theirs"),
        (("KE AE 7L 9L 7S", "KL AL KH AH 8E"), "OE", "ours", "ours"),
        (("KE AE 7L 9L 7S", "KL AL KH AH 8E"), "OS", "ours", "ours"),
        # seat 2's Hanger in trumps is not the tied one
        (
            ("7E 9E UL OH KS", "KE AE 7S 9S UH", "KL AL 7H 8H US", "8E 10L OE 9H 7L"),
            "10H",
            "theirs",
            "theirs",
        ),
        # here it is
        (
            ("7E 9E UL OH KS", "KE AE 7S 9S UH", "KL AL 7H 8H US", "8E 10H OE 9H 7L"),
            "10L",
            "theirs",
            "ours",
        ),
    ],
)
def test_gn_3_5_tie_options_for_hanger(
    deal: tuple[str, ...], turnup: str, forehand: str, trump: str
) -> None:
    hands, up = gilten_hands(*deal), gilten.card(turnup)
    assert gilten.outcome(hands, up, "hanger") == "stands"
    assert gilten.outcome(hands, up, "hanger", "forehand") == forehand
    assert gilten.outcome(hands, up, "hanger", "trump_then_forehand") == trump


@pytest.mark.parametrize(("turnup", "winner"), [("7E", "ours"), ("8L", "ours"), ("7H", "theirs")])
def test_gn_3_5_tied_gleich_with_the_trump_of_its_rank(turnup: str, winner: str) -> None:
    hands = gilten_hands("AE AL 9E UH OS", "AH AS 9L UE OH")
    up = gilten.card(turnup)
    assert gilten.outcome(hands, up, "gleich", "forehand") == "ours"
    assert gilten.outcome(hands, up, "gleich", "trump_then_forehand") == winner


def trumps_needed(
    figure: gilten.Figure, best: tuple[int, str] | None, trump: str
) -> set[gilten.Card]:
    """GN-3.5: the cards a hand must hold for the best figure to be one that trumps favour."""
    assert best is not None
    length, top = best[0], gilten.RANKS.index(best[1])
    low = top if figure == "gleich" else top - length + 1
    return {gilten.Card(rank, trump) for rank in gilten.RANKS[low : top + 1]}


@pytest.mark.parametrize("players", [2, 4])
def test_gn_3_5_random_deals_obey_the_clauses(players: int) -> None:
    rng = random.Random(35 + players)
    mirror = {"ours": "theirs", "theirs": "ours", "stands": "stands", "none": "none"}
    seen: Counter[str] = Counter()
    for _ in range(3_000):
        hands, up = gilten_deal(rng, players)
        turned = hands[1:] + hands[:1]  # every hand in the seat before: the teams change names
        for figure in GILTEN_FIGURES:
            plain = gilten.outcome(hands, up, figure)
            seen[plain] += 1
            assert gilten.outcome(turned, up, figure) == mirror[plain]
            tied = gilten.tied_seats(hands, figure)
            assert (plain == "none") == (not tied)
            assert (plain == "stands") == (len({seat % 2 for seat in tied}) == 2)
            if plain != "stands":
                for tie in GILTEN_TIES:
                    assert gilten.outcome(hands, up, figure, tie) == plain
                continue
            fore = gilten.outcome(hands, up, figure, "forehand")
            assert fore == ("ours" if tied[0] in (0, 2) else "theirs")
            needed = trumps_needed(figure, gilten.team_figure(hands, figure), up.suit)
            with_trump = [seat for seat in range(players) if needed <= set(hands[seat])]
            with_trump = [seat for seat in with_trump if seat in tied]
            assert len(with_trump) <= 1
            if figure == "gleich":  # only pairs can tie, and two pairs hold the trump
                assert len(tied) == 2
                assert len(with_trump) == 1
            decided = gilten.outcome(hands, up, figure, "trump_then_forehand")
            first = (with_trump or tied)[0]
            assert decided == ("ours" if first in (0, 2) else "theirs")
    assert set(seen) == {"ours", "theirs", "stands", "none"}


def test_gn_1_3_turnup_is_in_no_hand() -> None:
    hands = gilten_hands("AE AL 9E UH OS", "AH AS 9L UE OH")
    with pytest.raises(ValueError, match=r"GN-1\.3"):
        gilten.outcome(hands, gilten.card("AE"), "gleich")
    with pytest.raises(ValueError, match=r"GN-1\.2"):
        gilten.outcome([*hands, hands[0]], gilten.card("7E"), "gleich")


# --- Giley ---------------------------------------------------------------------------------


def giley_hands(*texts: str) -> list[tuple[giley.Card, ...]]:
    return [giley.cards(text) for text in texts]


def test_gy_1_1_pack() -> None:
    assert len(set(giley.PACK)) == len(giley.PACK) == 28


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("AO KO CO SO", 41),
        ("KC CC SC 3C", 40),
        ("KC CC 3C 2C", 40),
        ("AE KE CE 7E", 38),
        ("KB CB SB 7B", 37),
        ("AO KO CO 7B", 31),
        ("KO CO SO AB", 30),
        ("AO 7O 3O KB", 28),
        ("AO 2O", 21),
        ("KO AB", 11),
        ("7O 7B", 7),
        ("AO KO SO", 31),  # three cards
        ("7O 7B AE", 11),
    ],
)
def test_gy_1_2_worked_values(text: str, total: int) -> None:
    assert giley.points(giley.cards(text)) == total


def test_gy_1_2_totals_by_suit() -> None:
    totals = giley.suit_totals(giley.cards("AO 7O CC 7B"))
    assert totals == {"O": 18, "C": 10, "E": 0, "B": 7}


def test_gy_1_2_all_hands_of_two() -> None:
    counts = Counter(giley.points(hand) for hand in combinations(giley.PACK, 2))
    assert sum(counts.values()) == 378
    assert counts == {21: 20, 20: 40, 18: 4, 17: 20, 11: 78, 10: 210, 7: 6}


def test_gy_1_2_all_hands_of_four() -> None:
    counts = Counter(giley.points(hand) for hand in combinations(giley.PACK, 4))
    assert sum(counts.values()) == 20_475
    assert counts == {
        **{41: 40, 40: 20, 38: 40, 37: 40, 31: 840, 30: 840, 28: 420, 27: 840},
        **{21: 4_050, 20: 7_200, 18: 654, 17: 3_090, 11: 1_105, 10: 1_295, 7: 1},
    }


def test_gy_4_1_different_lengths_never_give_the_same_total() -> None:
    oros = [c for c in giley.PACK if c.suit == "O"]
    totals = [{giley.points(held) for held in combinations(oros, n)} for n in (1, 2, 3, 4)]
    assert totals == [{7, 10, 11}, {17, 18, 20, 21}, {27, 28, 30, 31}, {37, 38, 40, 41}]
    mixed = (h for h in combinations(giley.PACK, 4) if len({c.suit for c in h}) > 1)
    assert max(giley.points(hand) for hand in mixed) == 31


def test_gy_4_1_highest_points_win_under_every_option() -> None:
    hands = giley_hands("KO CO SO AB", "AC KC CC 7E", "KE CE SE 7O", "2B 3B 7C AO")
    assert giley.tied_count(hands) == 1
    assert giley.show(hands) == giley.show(hands, "mano_first") == 1
    assert giley.show(hands, "suit_rank") == 1
    assert giley.show(hands, "split") == (1,)


def test_gy_4_2_ties_with_the_dealer() -> None:
    hands = giley_hands("7O 7C 7E 7B", "AC KC CC SO", "AB KB CB SE", "AO KO CO SC")
    assert giley.tied_seats(hands) == (1, 2, 3)
    assert giley.tied_count(hands) == 3
    assert giley.show(hands) == giley.show(hands, "dealer") == 3
    assert giley.show(hands, "mano_first") == 1
    assert giley.show(hands, "suit_rank") == 3
    assert giley.show(hands, "split") == (1, 2, 3)


def test_gy_4_2_ties_without_the_dealer() -> None:
    hands = giley_hands("7O 7C 7E 7B", "AB KB CB SE", "AC KC CC SO", "KO CO SC 3E")
    assert giley.show(hands) == giley.show(hands, "mano_first") == 1
    assert giley.show(hands, "suit_rank") == 2
    assert giley.show(hands, "split") == (1, 2)


def test_gy_4_2_a_dealer_who_folded_has_no_privilege() -> None:
    hands = [None, *giley_hands("AB KB CB SE", "AC KC CC SO"), None]
    assert giley.tied_seats(hands) == (1, 2)
    assert giley.show(hands) == 1
    assert giley.show(hands, "suit_rank") == 2


def test_gy_4_3_the_higher_of_a_players_own_suits_counts() -> None:
    twenty = giley_hands("KC CC KB CB", "KE CE KO CO")  # copas, oros
    assert giley.counted_suit(twenty[0]) == "C"
    assert giley.counted_suit(twenty[1]) == "O"
    assert giley.show(twenty, "suit_rank") == 1
    assert giley.show(giley_hands("KC CC KB CB", "SC 3C KE CE"), "suit_rank") == 0  # both copas
    ten = giley_hands("7O KC", "CO 7C", "SO 7E")
    assert giley.show(ten, "suit_rank") == 1  # both in oros: seat order
    assert giley.show(ten) == 2


def test_gy_4_3_only_twenty_and_ten_can_meet_in_one_suit() -> None:
    oros = [c for c in giley.PACK if c.suit == "O"]
    held = [set(part) for n in (1, 2, 3, 4) for part in combinations(oros, n)]
    meet = {
        giley.points(one)
        for one, other in product(held, held)
        if not one & other and giley.points(one) == giley.points(other)
    }
    assert meet == {20, 10}


def test_gy_4_2_split_gives_the_remainder_in_seat_order() -> None:
    assert giley.split_pot(12, (1, 2, 3)) == {1: 4, 2: 4, 3: 4}
    assert giley.split_pot(14, (1, 2, 3)) == {1: 5, 2: 5, 3: 4}
    assert giley.split_pot(9, (2,)) == {2: 9}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gy_4_2_random_shows(players: int) -> None:
    rng = random.Random(42 + players)
    for size in (2, 4):
        for _ in range(400):
            dealt = rng.sample(giley.PACK, size * players)
            hands = [dealt[size * s : size * s + size] for s in range(players)]
            totals = [giley.points(hand) for hand in hands]
            tied = [s for s in range(players) if totals[s] == max(totals)]
            assert giley.show(hands, "split") == tuple(tied)
            assert giley.show(hands, "mano_first") == tied[0]
            assert giley.show(hands) == (tied[-1] if tied[-1] == players - 1 else tied[0])
            best = min(giley.SUITS.index(giley.counted_suit(hands[s])) for s in tied)
            winner = giley.show(hands, "suit_rank")
            assert winner in tied
            assert giley.counted_suit(hands[winner]) == giley.SUITS[best]


# --- Gleek ---------------------------------------------------------------------------------


def gleek_hands(*texts: str) -> list[tuple[gleek.Card, ...]]:
    return [gleek.cards(text) for text in texts]


def suit_cards(suit: str) -> list[gleek.Card]:
    return [c for c in gleek.PACK if c.suit == suit]


def test_gk_1_1_pack() -> None:
    assert len(set(gleek.PACK)) == len(gleek.PACK) == 44


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("AS KS QS JS", (False, 41)),
        ("AS KS QS JS AH AD AC", (True, 41)),
        ("4H 5H 6H 10C", (False, 15)),
        ("9D 8D 7D 10S JS", (False, 24)),
        ("AS AH AD KC QC 4C", (False, 24)),
    ],
)
def test_gk_3_1_ruffs(text: str, best: tuple[bool, int]) -> None:
    assert gleek.ruff(gleek.cards(text)) == best


def test_gk_3_1_four_aces_beat_all_eleven_cards_of_a_suit() -> None:
    whole = gleek.ruff(suit_cards("S"))
    assert whole == (False, 90)
    assert gleek.ruff(gleek.cards("AS AH AD AC 4S")) > whole
    assert gleek.ruff([*suit_cards("S"), gleek.card("AH")]) == whole
    assert gleek.aces(gleek.cards("AS AH AD AC 4S")) == 4


def test_gk_3_1_turnup_counts_only_under_its_option_and_for_the_dealer() -> None:
    hands = gleek_hands("AS KS 4H", "AH KH 5S", "KD QD 4C")
    turnup = gleek.card("JD")
    assert gleek.best_ruff(hands) == (0, (False, 21), 2)
    assert gleek.best_ruff(hands, turnup) == (0, (False, 21), 2)
    assert gleek.best_ruff(hands, turnup, turnup_in_ruff=True) == (2, (False, 30), 1)
    for suit in ("S", "H"):  # the turn-up would help an opponent, and does not
        up = gleek.Card("10", suit)
        assert gleek.best_ruff(hands, up, turnup_in_ruff=True) == (0, (False, 21), 2)
    aces = gleek_hands("KS QS JS", "KH QH 4S", "AS AH AC")
    assert gleek.best_ruff(aces, gleek.card("AD")) == (0, (False, 30), 1)
    assert gleek.best_ruff(aces, gleek.card("AD"), turnup_in_ruff=True) == (2, (True, 11), 1)


def test_gk_3_4_ties_go_to_the_earlier_seat() -> None:
    hands = gleek_hands("4S 5S", "KH QH", "AD 9D")
    assert gleek.best_ruff(hands) == (1, (False, 20), 2)
    assert gleek.best_ruff(gleek_hands("KS", "QH", "10D")) == (0, (False, 10), 3)
    assert gleek.best_ruff([None, None, hands[2]]) == (2, (False, 20), 1)
    assert gleek.best_ruff([hands[0], None, hands[2]]) == (2, (False, 20), 1)


def test_gk_3_1_mean_ruff_of_twelve() -> None:
    """The ruff is at most t when every suit's part of the hand is: count by parts of a suit."""
    parts = [part for size in range(12) for part in combinations(suit_cards("H"), size)]
    by_total = Counter((len(part), gleek.ruff(part)[1]) for part in parts)
    at_most: list[int] = []
    for limit in range(91):
        one = [sum(by_total[size, t] for t in range(limit + 1)) for size in range(12)]
        two = [sum(one[i] * one[n - i] for i in range(12) if 0 <= n - i < 12) for n in range(13)]
        at_most.append(sum(two[i] * two[12 - i] for i in range(13)))
    hands = comb(44, 12)
    assert at_most[90] == hands
    mean = Fraction(sum(hands - below for below in at_most[:90]), hands)
    assert float(mean) == pytest.approx(38.05145, abs=5e-6)


def test_gk_4_1_sets() -> None:
    hand = gleek.cards("AS AH AD KS KH KD KC QS QH JS JH JD")
    assert gleek.sets(hand) == [("gleek", "A"), ("mournival", "K"), ("gleek", "J")]
    assert gleek.sets_income(hand) == 4 + 6 + 1
    assert gleek.sets(gleek.cards("10S 10H 10D 10C 9S 9H 9D AS AH")) == []
    assert gleek.sets_income(()) == 0


@pytest.mark.parametrize(
    ("rank", "three", "four"), [("A", 4, 8), ("K", 3, 6), ("Q", 2, 4), ("J", 1, 2)]
)
def test_gk_4_1_payments(rank: str, three: int, four: int) -> None:
    held = [gleek.Card(rank, suit) for suit in gleek.SUITS]
    assert gleek.sets_income(held[:2]) == 0
    assert gleek.sets_income(held[:3]) == three
    assert gleek.sets_income(held) == four


def honour_patterns() -> list[tuple[list[gleek.Card], int]]:
    """A hand of twelve for every number of A, K, Q, J in it, and how many hands are like it."""
    patterns: list[tuple[list[gleek.Card], int]] = []
    small = [c for c in gleek.PACK if c.rank not in ("A", "K", "Q", "J")]
    for numbers in product(range(5), repeat=4):
        rest = 12 - sum(numbers)
        if rest < 0:
            continue
        hand = [
            gleek.Card(rank, suit)
            for rank, number in zip(("A", "K", "Q", "J"), numbers, strict=True)
            for suit in gleek.SUITS[:number]
        ]
        ways = comb(len(small), rest)
        for number in numbers:
            ways *= comb(4, number)
        patterns.append((hand + small[:rest], ways))
    return patterns


def test_gk_4_1_mournivals_and_mean_income_in_twelve() -> None:
    hands = comb(44, 12)
    named = any_set = income = total = 0
    for hand, ways in honour_patterns():
        found = gleek.sets(hand)
        total += ways
        income += ways * gleek.sets_income(hand)
        named += ways * (("mournival", "Q") in found)
        any_set += ways * any(name == "mournival" for name, _ in found)
    assert total == hands
    assert named / hands == pytest.approx(0.00364638, abs=5e-9)
    assert any_set / hands == pytest.approx(0.01456877, abs=5e-9)
    assert Fraction(income, hands) == Fraction(7300, 12341)


def test_gk_2_4_gk_5_3_trump_honours() -> None:
    hand = gleek.cards("4H KH JH AH 10H QS AS KD")
    assert gleek.trump_honours(hand, "H") == ("A", "K", "J")
    assert gleek.trump_honours(hand, "C") == ()
    assert gleek.turnup_honours(gleek.card("QD")) == ("Q",)
    assert gleek.turnup_honours(gleek.card("10D")) == ()
    assert gleek.stock_honours(gleek.cards("JD QD 4S AS 9C"), gleek.card("4D")) == ("Q", "J")


def test_gk_5_3_worked_points() -> None:
    assert gleek.honour_points(gleek.turnup_honours(gleek.card("AH"))) == 15  # Tib turned up
    scores = [3 * 5 + gleek.honour_points("AKQ"), 3 * 4 + gleek.honour_points("J"), 3 * 3]
    assert scores == [36, 21, 9]
    assert sum(scores) == 66
    assert [score - 22 for score in scores] == [14, -1, -13]
    a, b, c = gleek_hands("JH", "KH", "7H")  # hearts trumps: B takes the trick
    honours = [gleek.honour_points(gleek.trump_honours(played, "H")) for played in (a, b, c)]
    assert [honours[0], 3 + honours[1], honours[2]] == [9, 6, 0]


def test_gk_2_4_honours_are_conserved_between_hands_stock_and_turnup() -> None:
    rng = random.Random(24)
    for _ in range(300):
        deal = rng.sample(gleek.PACK, 44)
        hands: Sequence[Sequence[gleek.Card]] = (deal[:12], deal[12:24], deal[24:36])
        turnup, stock = deal[36], deal[37:]
        places = [gleek.trump_honours(hand, turnup.suit) for hand in hands]
        places += [gleek.turnup_honours(turnup), gleek.stock_honours(stock, turnup)]
        assert sorted("".join(map("".join, places))) == sorted("AKQJ")
