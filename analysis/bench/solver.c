/* Gilten with all hands open: does forehand's team make the Spiel (GN-2, GN-3.3)?
 *
 * The search of sims/gilten/solver.py, for four players and from the first lead on: the same cards
 * in the same order, the same count of sure tricks. A card is a bit, and a suit eight bits. */

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

enum { SPIEL = 3 };

static inline uint32_t suit_of(uint32_t card)
{
    return 0xFFu << (_tzcnt_u32(card) & 24);
}

static inline uint32_t lowest(uint32_t cards)
{
    return cards & -cards;
}

static inline uint32_t more(uint32_t one, uint32_t other)
{
    return one > other ? one : other;
}

static inline uint32_t number(uint32_t cards)
{
    return (uint32_t)_mm_popcnt_u32(cards);
}

/* The cards and all that they beat in their own suits. */
static inline uint32_t below(uint32_t cards)
{
    cards |= cards >> 1 & 0x7F7F7F7F;
    cards |= cards >> 2 & 0x3F3F3F3F;
    return cards | (cards >> 4 & 0x0F0F0F0F);
}

/* The lowest of each group of cards between which, in their suit, there is none of the others. */
static inline uint32_t one_of_each(uint32_t hand, uint32_t others)
{
    uint32_t free = ~others, reached = hand;
    reached |= free & (reached << 1 & 0xFEFEFEFE);
    free &= free << 1 & 0xFEFEFEFE;
    reached |= free & (reached << 2 & 0xFCFCFCFC);
    free &= free << 2 & 0xFCFCFCFC;
    reached |= free & (reached << 4 & 0xF0F0F0F0);
    return hand & ~(reached << 1 & 0xFEFEFEFE);
}

/* Those of the cards that beat the best of the trick so far (GN-2.3). */
static inline uint32_t beating(uint32_t cards, uint32_t best, uint32_t trump)
{
    uint32_t above = suit_of(best) & ~(best | (best - 1));
    return cards & (above | (best & trump ? 0 : trump));
}

/* What a hand may try: the likely cards first. */
struct choices {
    uint32_t untried, better, likely;
};

static inline uint32_t next(struct choices *choices)
{
    uint32_t likely = choices->untried & choices->likely;
    uint32_t card = lowest(likely ? likely : choices->untried);
    choices->untried ^= card;
    return card;
}

/* `held` are all cards in hands; `losing` is whether the other side is winning the trick. */
static inline struct choices choices_of(uint32_t hand, uint32_t held, uint32_t suit,
                                        uint32_t trump, uint32_t best, bool losing)
{
    uint32_t legal = hand & suit ? hand & (suit | trump) : hand; /* GN-2.2 */
    uint32_t cards = one_of_each(legal, (held & ~hand) | best);
    uint32_t better = beating(cards, best, trump);
    uint32_t wanted = losing ? better : cards & ~better;
    uint32_t plain = wanted & ~trump;
    wanted = wanted ? wanted : cards & ~trump;
    return (struct choices){cards, better, plain ? plain : wanted};
}

static inline struct choices leads_of(uint32_t first, uint32_t rest, uint32_t tops, uint32_t trump,
                                      uint32_t theirs)
{
    uint32_t leads = one_of_each(first, rest), top_leads = leads & tops;
    uint32_t top_trumps = theirs & trump ? top_leads & trump : 0;
    uint32_t likely = top_leads ? top_leads : leads & trump;
    return (struct choices){leads, 0, top_trumps ? top_trumps : likely};
}

/* Each trump over all of the other side is a trick; one in each hand may fall together. */
static inline uint32_t sure_trumps(uint32_t one, uint32_t partner, uint32_t theirs, uint32_t trump)
{
    uint32_t over_theirs = trump & ~below(theirs);
    return more(number(one & over_theirs), number(partner & over_theirs));
}

/* Whoever can draw all trumps has a trick for each of his top cards. */
static inline uint32_t sure_on_lead(uint32_t first, uint32_t second, uint32_t third,
                                    uint32_t fourth, uint32_t trump, uint32_t tops)
{
    uint32_t top_trumps = number(tops & trump);
    uint32_t to_draw = more(number(second & trump), number(fourth & trump));
    uint32_t cashed = top_trumps >= to_draw ? number(tops) : top_trumps;
    return more(cashed, sure_trumps(first, third, second | fourth, trump));
}

/* A hand by its place in the trick, from 0 on. */
static inline uint32_t hand_of(int place, uint32_t first, uint32_t second, uint32_t third,
                               uint32_t fourth)
{
    return place == 3 ? fourth : place == 2 ? third : place == 1 ? second : first;
}

/* Whether the leader's side wins the last trick. */
static inline bool single_lead_holds(const uint32_t hands[4], uint32_t trump)
{
    uint32_t best = hands[0];
    bool holds = true;
    for (int hand = 1; hand < 4; hand++)
        if (beating(hands[hand], best, trump))
            best = hands[hand], holds = hand % 2 == 0;
    return holds;
}

/* Whether the leader's side takes `need` tricks or more, at least one and at most all. */
static bool takes(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth, uint32_t trump,
                  uint32_t need)
{
    uint32_t tricks = number(first), rest = second | third | fourth, held = first | rest;
    uint32_t tops = first & ~below(rest);
    if (sure_on_lead(first, second, third, fourth, trump, tops) >= need)
        return true;
    if (sure_trumps(second, fourth, first | third, trump) + need > tricks)
        return false;

    struct choices leads = leads_of(first, rest, tops, trump, second | fourth);
    while (leads.untried) {
        uint32_t led = next(&leads), suit = suit_of(led), held_1 = held ^ led;
        struct choices seconds = choices_of(second, held_1, suit, trump, led, true);
        bool lead_holds = true;
        while (lead_holds && seconds.untried) {
            uint32_t card_2 = next(&seconds), held_2 = held_1 ^ card_2;
            bool by_2 = card_2 & seconds.better;
            uint32_t best_2 = by_2 ? card_2 : led;
            int winner_2 = by_2 ? 1 : 0;
            struct choices thirds = choices_of(third, held_2, suit, trump, best_2, winner_2 == 1);
            bool answer_holds = true;
            while (answer_holds && thirds.untried) {
                uint32_t card_3 = next(&thirds), held_3 = held_2 ^ card_3;
                bool by_3 = card_3 & thirds.better;
                uint32_t best_3 = by_3 ? card_3 : best_2;
                int winner_3 = by_3 ? 2 : winner_2;
                struct choices fourths =
                    choices_of(fourth, held_3, suit, trump, best_3, winner_3 != 1);
                bool made = true;
                while (made && fourths.untried) {
                    uint32_t card_4 = next(&fourths);
                    int winner = card_4 & fourths.better ? 3 : winner_3;
                    bool leader_wins = winner % 2 == 0;
                    uint32_t winner_needs = leader_wins ? need - 1 : tricks - need;
                    uint32_t a = first ^ led, b = second ^ card_2;
                    uint32_t c = third ^ card_3, d = fourth ^ card_4;
                    const uint32_t then[4] = {
                        hand_of(winner, a, b, c, d), hand_of(winner, b, c, d, a),
                        hand_of(winner, c, d, a, b), hand_of(winner, d, a, b, c)};
                    bool winner_makes_it =
                        winner_needs == 0 ||
                        (tricks == 2
                             ? single_lead_holds(then, trump)
                             : takes(then[0], then[1], then[2], then[3], trump, winner_needs));
                    made = leader_wins == winner_makes_it;
                }
                answer_holds = !made;
            }
            lead_holds = !answer_holds;
        }
        if (lead_holds)
            return true;
    }
    return false;
}

/* `hands` are four rows of `deals` masks of five cards, by seat; `makes` is filled. */
void solve(const uint32_t *hands, const uint32_t *turnups, int64_t deals, bool *makes)
{
    for (int64_t deal = 0; deal < deals; deal++)
        makes[deal] = takes(hands[deal], hands[deals + deal], hands[2 * deals + deal],
                            hands[3 * deals + deal], suit_of(turnups[deal]), SPIEL);
}
