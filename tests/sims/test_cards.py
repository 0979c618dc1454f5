"""Notation of the three packs."""

import pytest

from sims.cards import GILEY, GILTEN, GLEEK, Pack

PACKS = {"gilten": GILTEN, "giley": GILEY, "gleek": GLEEK}


@pytest.mark.parametrize(("name", "cards"), [("gilten", 32), ("giley", 28), ("gleek", 44)])
def test_gn_1_1_gy_1_1_gk_1_1_sizes_of_packs(name: str, cards: int) -> None:
    pack = PACKS[name]
    assert pack.size == cards
    assert pack.mask == 2**cards - 1
    assert sum(pack.suit_mask(suit) for suit in range(4)) == pack.mask


@pytest.mark.parametrize("pack", PACKS.values(), ids=PACKS)
def test_every_card_is_read_as_it_is_written(pack: Pack) -> None:
    for bit in range(pack.size):
        assert pack.bit(pack.text(bit)) == pack.bit(pack.text(bit).lower()) == bit
    assert pack.read(" ".join(pack.cards(pack.mask))) == pack.mask


def test_ranks_run_from_low_to_high() -> None:
    assert GILTEN.bit("7E") == 0
    assert GILTEN.bit("AE") == 7
    assert GILTEN.bit("7L") == 8
    assert GILEY.bit("2O") == 0
    assert GILEY.bit("AB") == 27
    assert GLEEK.bit("4S") == 0
    assert GLEEK.bit("AC") == 43


def test_other_spellings() -> None:
    assert GILEY.bit("RO") == GILEY.bit("KO")
    assert GLEEK.bit("TH") == GLEEK.bit("10h") == GLEEK.bit("10♥") == GLEEK.bit("T♥")


def test_commas_and_spaces_part_cards() -> None:
    assert GILTEN.read("7E,10H  as") == GILTEN.read(" 7e 10h, AS ") == 1 | 1 << 19 | 1 << 31
    assert GILTEN.read("") == 0


def test_a_hand_is_written_suit_by_suit_the_highest_first() -> None:
    assert GILTEN.cards(GILTEN.read("7E AS UH 10E KH")) == ["10E", "7E", "KH", "UH", "AS"]


@pytest.mark.parametrize("card", ["1E", "E7", "7", "X", "7EE", "10", "JH"])
def test_what_is_no_card_is_named_with_what_is_allowed(card: str) -> None:
    with pytest.raises(ValueError, match=f"no card '{card}'.*A K O U 10 9 8 7.*E L H S"):
        GILTEN.read(f"8L {card} 9L")


def test_a_near_miss_is_named() -> None:
    with pytest.raises(ValueError, match="did you mean 10E"):
        GILTEN.read("10EE")


def test_a_card_twice_is_named() -> None:
    with pytest.raises(ValueError, match="card '7e' is there twice"):
        GILTEN.read("7E 8E 7e")
