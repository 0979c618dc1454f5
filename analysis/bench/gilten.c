/* Gilten: who has the better Gleich and who the better Hanger, of two teams of two (GN-3). */

#include <stdint.h>

typedef uint32_t mask_t;
#define DEPOSIT _pdep_u32

/* Five cards to each of four hands, then the turn-up (GN-1.3). */
enum { PACKETS = 5, WORDS = 2 };
static const int WORD[PACKETS] = {0, 0, 1, 1, 1};

#include "dealing.c"

enum { OURS, THEIRS, STANDS, NONE, OUTCOMES };
enum { CELLS = OUTCOMES * OUTCOMES };

/* Counted from one, 0 for no bit. */
static inline uint32_t bit_length(uint32_t bits)
{
    return 32 - _lzcnt_u32(bits);
}

/* Pairs in bits 0-7, triplets in 8-15, quartets in 16-23, by rank (GN-3.1). The four suits of a
 * rank are counted two and two. */
static inline uint32_t gleich_set(uint32_t hand)
{
    uint32_t eichel = hand & 0xFF, laub = hand >> 8 & 0xFF;
    uint32_t herz = hand >> 16 & 0xFF, schell = hand >> 24;
    uint32_t both_1 = eichel & laub, some_1 = eichel | laub;
    uint32_t both_2 = herz & schell, some_2 = herz | schell;
    uint32_t pairs = both_1 | both_2 | (some_1 & some_2);
    uint32_t triplets = (both_1 & some_2) | (some_1 & both_2);
    uint32_t quartets = both_1 & both_2;
    return pairs | triplets << 8 | quartets << 16;
}

static inline uint32_t any_suit(uint32_t cards)
{
    uint32_t halves = cards | cards >> 16;
    return (halves | halves >> 8) & 0xFF;
}

/* The lowest cards of all runs of two, three, four and five cards in a suit. */
struct runs {
    uint32_t two, three, four, five;
};

static inline struct runs runs_of(uint32_t hand)
{
    struct runs runs;
    runs.two = hand & hand >> 1 & 0x7F7F7F7F; /* none turns the corner from ace to seven */
    runs.three = runs.two & runs.two >> 1;
    runs.four = runs.three & runs.three >> 1;
    runs.five = runs.four & runs.four >> 1;
    return runs;
}

static inline uint32_t best_gleich(uint32_t one, uint32_t other)
{
    return bit_length(gleich_set(one) | gleich_set(other));
}

/* Classes 1-7 have two cards, 8-13 three, 14-18 four, 19-22 five (GN-3.2). */
static inline uint32_t best_hanger(uint32_t one, uint32_t other)
{
    struct runs a = runs_of(one), b = runs_of(other);
    uint32_t three = a.three | b.three, four = a.four | b.four, five = a.five | b.five;
    uint32_t longest = a.two | b.two, shorter = 0;
    longest = three ? three : longest, shorter = three ? 7 : shorter;
    longest = four ? four : longest, shorter = four ? 13 : shorter;
    longest = five ? five : longest, shorter = five ? 18 : shorter;
    return bit_length(any_suit(longest)) + shorter;
}

/* GN-3.5: equals stand, if there is anything to stand. */
static inline uint32_t outcome(uint32_t ours, uint32_t theirs)
{
    uint32_t tied = ours ? STANDS : NONE;
    return ours == theirs ? tied : ours > theirs ? OURS : THEIRS;
}

static void judge(mask_t packets[][ROW], int lanes, uint32_t *restrict cells)
{
    const mask_t *first = packets[0], *second = packets[1];
    const mask_t *third = packets[2], *fourth = packets[3];
    for (int lane = 0; lane < lanes; lane++) {
        uint32_t gleich = outcome(best_gleich(first[lane], third[lane]),
                                  best_gleich(second[lane], fourth[lane]));
        uint32_t hanger = outcome(best_hanger(first[lane], third[lane]),
                                  best_hanger(second[lane], fourth[lane]));
        cells[lane] = gleich * OUTCOMES + hanger;
    }
}

/* Adds the deals `start` to `stop` to `counts`: outcome of the Gleich by outcome of the Hanger. */
void tally(uint64_t seed, uint64_t stream, uint64_t start, uint64_t stop, const struct plan *plan,
           int64_t *counts)
{
    struct batch batch;
    uint32_t cells[LANES];
    int64_t copies[COPIES][CELLS] = {0};
    struct counter counter = {seed, stream, 0};
    for (uint64_t first = start; first < stop; first += LANES) {
        int lanes = stop - first < LANES ? (int)(stop - first) : LANES;
        deal(counter, first, plan, lanes, &batch);
        judge(batch.packets, lanes, cells);
        count(cells, lanes, CELLS, copies);
    }
    add_up(CELLS, copies, counts);
}
