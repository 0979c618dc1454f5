/* Giley with five players: the best points at the table, and who has them (GY-1.2, GY-4). */

#include <stdint.h>

typedef uint32_t mask_t;
#define DEPOSIT _pdep_u32

/* Two cards to each of five seats, then two more (GY-2.1, GY-2.2). */
enum { SEATS = 5, PACKETS = 2 * SEATS, WORDS = 2 };
static const int WORD[PACKETS] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};

#include "dealing.c"

enum { CLASSES = 15, CELLS = CLASSES * SEATS };

/* A suit is a field of seven bits: 2, 3, 7, S, C, K, A from the lowest. */
#define IN_ALL_FIELDS(bits) ((bits) | (bits) << 7 | (bits) << 14 | (bits) << 21)

static inline uint32_t greater(uint32_t one, uint32_t other)
{
    return one > other ? one : other;
}

/* The total of each suit in steps, a field a suit: a seven is two steps, a ten four, an ace five.
 * All but the seven are counted in pairs (2 3, S C, K A) of two bits each. */
static inline uint32_t suit_steps(uint32_t cards)
{
    const uint32_t lower_of_pairs = IN_ALL_FIELDS(0x29u), two_bits = IN_ALL_FIELDS(0x3u);
    uint32_t pairs = (cards & lower_of_pairs) + (cards >> 1 & lower_of_pairs);
    uint32_t number = (pairs & two_bits) + (pairs >> 3 & two_bits) + (pairs >> 5 & two_bits);
    uint32_t seven = cards >> 1 & IN_ALL_FIELDS(0x2u), ace = cards >> 6 & IN_ALL_FIELDS(0x1u);
    return number << 2 | seven | ace;
}

/* The highest of four fields: each in turn goes to the top seven bits. */
static inline uint32_t highest_field(uint32_t fields)
{
    uint32_t bastos_or_espadas = greater(fields << 4, fields << 11);
    uint32_t copas_or_oros = greater(fields << 18, fields << 25);
    return greater(bastos_or_espadas, copas_or_oros) >> 25;
}

/* What decides, from the highest bit: steps, then two bits for the dealer's privilege among equal
 * points, then three for the order of the seats (GY-4.2). */
static inline uint32_t claim(uint32_t hand, uint32_t seat)
{
    uint32_t privilege = seat == SEATS - 1;
    return (highest_field(suit_steps(hand)) << 2 | privilege) << 3 | (7 - seat);
}

static void judge(mask_t packets[][ROW], int lanes, uint32_t *restrict cells)
{
    for (int lane = 0; lane < lanes; lane++) {
        uint32_t best = 0;
#pragma clang loop unroll(full)
        for (uint32_t seat = 0; seat < SEATS; seat++)
            best = greater(best, claim(packets[seat][lane] | packets[SEATS + seat][lane], seat));
        /* The class is the steps less three, but for the seven alone, of two steps. */
        uint32_t points = greater(best >> 5, 3) - 3, winner = 7 - (best & 7);
        cells[lane] = points * SEATS + winner;
    }
}

/* Adds the deals `start` to `stop` to `counts`: best points by winner's seat, (15, 5). */
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
