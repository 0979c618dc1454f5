/* What the C yardsticks of all three games share: random words, and packets of cards from them.
 *
 * The same stages as sims/streams.py and sims/dealing.py, a batch of deals at a time, from the
 * numbers and tables of sims.dealing.plan: a yardstick deals the very same cards. But where the
 * kernels take a game's packets as data, C may know them when it is compiled. The game's file says
 *
 *     mask_t, DEPOSIT   how wide a mask of its pack is, and the instruction that deposits bits
 *     PACKETS, WORDS    packets in a deal, and the 64-bit words they are drawn from, an even number
 *     WORD              which word each packet is drawn from
 *
 * and then includes this one.
 */

#include <immintrin.h>
#include <stdbool.h>

/* Rows are a little longer than the lanes in them: with a power of two from row to row, one lane's
 * data would all compete for the same few places of the cache. */
enum { LANES = 512, ROW = LANES + 16, COPIES = 4 };

/* The arrays of a sims.dealing.Plan, (PACKETS,) each but for the last. */
struct plan {
    uint64_t pack;                /* all cards */
    const uint64_t *bound;        /* how many different packets there are */
    const uint64_t *reject_below; /* low halves below this have to be drawn again */
    const int64_t *table;         /* where the subsets of the packet's size begin */
    const mask_t *subsets;        /* in colexicographic order */
};

/* Which words are meant: the key, and counter words 3 and 2 (sims/streams.py). */
struct counter {
    uint64_t seed, stream, place;
};

struct batch {
    uint64_t words[WORDS][ROW];
    uint32_t numbers[PACKETS][ROW];
    mask_t packets[PACKETS][ROW];
};

/* Philox4x32-10 for `lanes` units from index `start` on: two words a block, from `column` on. */
static void fill(struct counter counter, uint64_t start, int lanes, struct batch *batch, int column)
{
    for (int block = 0; block < WORDS / 2; block++) {
        uint64_t *restrict first = batch->words[2 * block] + column;
        uint64_t *restrict second = batch->words[2 * block + 1] + column;
        for (int lane = 0; lane < lanes; lane++) {
            uint64_t index = start + (uint64_t)lane;
            uint64_t c0 = index, c1 = index >> 32;
            uint64_t c2 = counter.place + (uint64_t)block, c3 = counter.stream;
            uint32_t key_0 = (uint32_t)counter.seed, key_1 = (uint32_t)(counter.seed >> 32);
            for (int round = 0; round < 10; round++) {
                uint64_t product_0 = 0xD2511F53ull * (uint32_t)c0;
                uint64_t product_1 = 0xCD9E8D57ull * (uint32_t)c2;
                c0 = product_1 >> 32 ^ c1 ^ key_0;
                c2 = product_0 >> 32 ^ c3 ^ key_1;
                c1 = product_1;
                c3 = product_0;
                key_0 += 0x9E3779B9;
                key_1 += 0xBB67AE85;
            }
            first[lane] = c1 << 32 | (uint32_t)c0;
            second[lane] = c3 << 32 | (uint32_t)c2;
        }
    }
}

/* The number of each packet: the high half of word * bound, while the low half is the word of the
 * next. In products of 32 bits, because these vectorise. True if any lane has to be drawn again,
 * which the last packet of each word tells. */
static bool draw(const struct plan *plan, int lanes, struct batch *batch, int column)
{
    uint64_t rejected = 0;
    /* No two rows overlap, which the compiler would test at length, or not at all. */
#pragma clang loop vectorize(assume_safety)
    for (int lane = column; lane < column + lanes; lane++) {
        uint64_t word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = batch->words[w][lane];
#pragma clang loop unroll(full)
        for (int packet = 0; packet < PACKETS; packet++) {
            uint64_t bound = (uint32_t)plan->bound[packet], before = word[WORD[packet]];
            uint64_t low = (uint32_t)before * bound;
            uint64_t high = (before >> 32) * bound + (low >> 32);
            word[WORD[packet]] = high << 32 | (uint32_t)low;
            batch->numbers[packet][lane] = (uint32_t)(high >> 32);
            if (packet == PACKETS - 1 || WORD[packet + 1] != WORD[packet])
                rejected |= word[WORD[packet]] < plan->reject_below[packet];
        }
    }
    return rejected;
}

static bool is_rejected(const struct plan *plan, const struct batch *batch, int lane)
{
    uint64_t word[WORDS];
    for (int w = 0; w < WORDS; w++)
        word[w] = batch->words[w][lane];
    bool rejected = false;
    for (int packet = 0; packet < PACKETS; packet++) {
        word[WORD[packet]] *= plan->bound[packet];
        rejected |= word[WORD[packet]] < plan->reject_below[packet];
    }
    return rejected;
}

/* Rejected lanes once more, with the attempt (from bit 8 of counter word 2 on) counted up. */
static void redraw(struct counter counter, uint64_t start, const struct plan *plan, int lanes,
                   struct batch *batch)
{
    for (int lane = 0; lane < lanes; lane++) {
        struct counter later = counter;
        while (is_rejected(plan, batch, lane)) {
            later.place += 1 << 8;
            fill(later, start + (uint64_t)lane, 1, batch, lane);
            draw(plan, 1, batch, lane);
        }
    }
}

/* The packets of the numbers drawn, each out of what is left of the pack. */
static void take(const struct plan *plan, int lanes, struct batch *batch)
{
    for (int lane = 0; lane < lanes; lane++) {
        mask_t pack = (mask_t)plan->pack;
#pragma clang loop unroll(full)
        for (int packet = 0; packet < PACKETS; packet++) {
            const mask_t *table = plan->subsets + plan->table[packet];
            mask_t cards = table[batch->numbers[packet][lane]];
            if (packet > 0) /* a whole pack leaves the bits where they are */
                cards = DEPOSIT(cards, pack);
            batch->packets[packet][lane] = cards;
            pack ^= cards;
        }
    }
}

static void deal(struct counter counter, uint64_t start, const struct plan *plan, int lanes,
                 struct batch *batch)
{
    fill(counter, start, lanes, batch, 0);
    if (draw(plan, lanes, batch, 0))
        redraw(counter, start, plan, lanes, batch);
    take(plan, lanes, batch);
}

/* One more for each lane's cell. Each of four neighbouring lanes has its own copy of the counts, so
 * that lanes of one cell do not wait for each other's store. */
static void count(const uint32_t *restrict cells, int lanes, int cells_in_all,
                  int64_t copies[restrict COPIES][cells_in_all])
{
    int whole = lanes - lanes % COPIES;
    for (int lane = 0; lane < whole; lane += COPIES)
        for (int copy = 0; copy < COPIES; copy++)
            copies[copy][cells[lane + copy]]++;
    for (int lane = whole; lane < lanes; lane++)
        copies[0][cells[lane]]++;
}

static void add_up(int cells_in_all, int64_t copies[COPIES][cells_in_all], int64_t *counts)
{
    for (int copy = 0; copy < COPIES; copy++)
        for (int cell = 0; cell < cells_in_all; cell++)
            counts[cell] += copies[copy][cell];
}
