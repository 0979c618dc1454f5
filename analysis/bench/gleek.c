/* Gleek as dealt: the ruff of each of three hands (GK-3.1), and what its sets bring in (GK-4.1). */

#include <stdint.h>

typedef uint64_t mask_t;
#define DEPOSIT _pdep_u64

/* Twelve cards to each of three hands, by threes, then the turn-up (GK-1.3). */
enum { SEATS = 3, PACKETS_OF_A_HAND = 4, PACKETS = SEATS * PACKETS_OF_A_HAND + 1, WORDS = 4 };
static const int WORD[PACKETS] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3};

#include "dealing.c"

/* Ruffs of 15 to 86, 90, four aces; incomes of 0 to 16 chips, and 18. */
enum { RUFFS = 74, INCOMES = 18 };
enum { LEAST_RUFF = 15, WHOLE_SUIT = RUFFS - 2, FOUR_ACES = RUFFS - 1, MOST_INCOME = INCOMES - 1 };

#define popcount(bits) ((uint32_t)__builtin_popcount(bits))

static inline uint32_t greater(uint32_t one, uint32_t other)
{
    return one > other ? one : other;
}

static inline uint32_t at_most(uint32_t limit, uint32_t number)
{
    return number < limit ? number : limit;
}

/* The points of one suit's cards, eleven bits from the 4 to the ace, by the binary digits of what
 * they are worth: a 1 is in 5 7 9 A, a 2 in 6 7 10 J Q K A, a 4 in 4 5 6 7, an 8 in 8 to A. */
static inline uint32_t suit_points(uint32_t suit)
{
    return popcount(suit & 0x42A) + 2 * popcount(suit & 0x7CC) + 4 * popcount(suit & 0x00F) +
           8 * popcount(suit & 0x7F0);
}

/* Two suits of a hand are the low half, two the high half, of 22 bits each. */
static inline uint32_t ruff(uint32_t low, uint32_t high)
{
    const uint32_t suit = 0x7FF, aces = 1u << 21 | 1u << 10;
    uint32_t best = greater(greater(suit_points(low & suit), suit_points(low >> 11)),
                            greater(suit_points(high & suit), suit_points(high >> 11)));
    uint32_t total = at_most(WHOLE_SUIT, best - LEAST_RUFF);
    return (low & high & aces) == aces ? FOUR_ACES : total;
}

/* Jacks bring 1, queens 2, kings 3, aces 4 for three of them, and as much again for the fourth. The
 * four suits of a rank are counted two and two; `three` and `four` have jacks in bit 0. */
static inline uint32_t income(uint32_t low, uint32_t high)
{
    uint32_t both = low & high, some = low | high;
    uint32_t three = ((both & some >> 11) | (some & both >> 11)) >> 7 & 0xF;
    uint32_t four = (both & both >> 11) >> 7 & 0xF;
    uint32_t sets = three | four << 4;
    uint32_t chips = popcount(sets & 0x55) + 2 * popcount(sets & 0x66) + 4 * popcount(sets & 0x88);
    return at_most(MOST_INCOME, chips);
}

static void judge(mask_t packets[][ROW], int lanes, uint32_t *restrict ruffs,
                  uint32_t *restrict incomes)
{
    for (int lane = 0; lane < lanes; lane++) {
        mask_t hand = packets[0][lane] | packets[1][lane] | packets[2][lane] | packets[3][lane];
        uint32_t low = hand & 0x3FFFFF, high = (uint32_t)(hand >> 22);
        ruffs[lane] = ruff(low, high);
        incomes[lane] = income(low, high);
    }
}

/* Adds the deals `start` to `stop` to `counts`: ruffs by seat, (3, 74), then incomes, (3, 18). */
void tally(uint64_t seed, uint64_t stream, uint64_t start, uint64_t stop, const struct plan *plan,
           int64_t *counts)
{
    struct batch batch;
    uint32_t ruffs[LANES], incomes[LANES];
    int64_t ruff_copies[SEATS][COPIES][RUFFS] = {0}, income_copies[SEATS][COPIES][INCOMES] = {0};
    struct counter counter = {seed, stream, 0};
    for (uint64_t first = start; first < stop; first += LANES) {
        int lanes = stop - first < LANES ? (int)(stop - first) : LANES;
        deal(counter, first, plan, lanes, &batch);
        for (int seat = 0; seat < SEATS; seat++) {
            judge(batch.packets + PACKETS_OF_A_HAND * seat, lanes, ruffs, incomes);
            count(ruffs, lanes, RUFFS, ruff_copies[seat]);
            count(incomes, lanes, INCOMES, income_copies[seat]);
        }
    }
    for (int seat = 0; seat < SEATS; seat++) {
        add_up(RUFFS, ruff_copies[seat], counts + RUFFS * seat);
        add_up(INCOMES, income_copies[seat], counts + RUFFS * SEATS + INCOMES * seat);
    }
}
