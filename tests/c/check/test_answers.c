/* What is remembered of the journal's answers is what a look at each entry gives, whoever asks in whatever order. */
#include "../check.h"
#include <warpsim/run.h>

enum { ROUNDS = 400, STEPS = 60, BLOCKS = 3, PLACES = 3, WARPS = 2, MOST_TIME = 40 };

static ws_journal journal;
static ws_answers answers;
static uint64_t drawn = 1;

static uint32_t draw(uint32_t below) {
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

static void release(uint32_t ranks, uint32_t place, uint32_t block) {
    const uint32_t each = WARPS * WS_LANES;
    ws_release entry;
    uint32_t warp, k;
    memset(&entry, 0, sizeof entry);
    entry.place = place;
    entry.block = block;
    entry.thread = draw(ranks * each);
    entry.each = each;
    entry.first = entry.thread / each * each;
    entry.time = draw(MOST_TIME);
    entry.floor = draw(4) == 0 ? draw(MOST_TIME / 2) : 0;
    entry.own_floor = draw(4) == 0 ? draw(MOST_TIME / 2) : entry.floor;
    entry.warps = draw(1 << WARPS);
    for (warp = 0; warp < WARPS; warp++) {
        for (k = 0; k < WS_JOURNAL_PARTS; k++) {
            entry.passed[warp][k].until = draw(MOST_TIME);
            entry.passed[warp][k].lanes = draw(4) != 0 ? UINT32_C(1) << draw(32) | UINT32_C(1) << draw(32) : 0;
        }
    }
    ws_journal_release(&journal, &entry);
}

static bool gives(uint32_t at, uint32_t block, uint32_t time, uint32_t thread) {
    const uint64_t place = journal.entries[at - 1].place;
    for (; at != 0; at--) {
        const ws_release *entry = &journal.entries[at - 1];
        if (entry->place == place && entry->block == block && ws_journal_covers(entry, time, thread)) return true;
    }
    return false;
}

static void what_is_given_is_the_same(void) {
    uint32_t round, step, seen[2] = {0, 0};
    for (round = 0; round < ROUNDS; round++) {
        const uint32_t ranks = 1 + round % 2;
        ws_journal_begin(&journal);
        ws_answers_start(&answers);
        for (step = 0; step < STEPS; step++) {
            const uint32_t block = draw(BLOCKS), time = draw(MOST_TIME), thread = draw(ranks * WARPS * WS_LANES);
            uint32_t at;
            if (draw(3) == 0) release(ranks, 1 + draw(PLACES), draw(BLOCKS));
            CHECK(!ws_answers_gives(&journal, &answers, 0, block, time, thread));
            if (journal.count == 0) continue;
            at = 1 + draw(journal.count);
            seen[gives(at, block, time, thread)]++;
            CHECK_EQUAL(ws_answers_gives(&journal, &answers, at, block, time, thread), gives(at, block, time, thread));
        }
    }
    CHECK(seen[0] > 1000 && seen[1] > 1000);
}

/* All lanes of a warp ask about another one: the chain is walked once. */
static void lanes_walk_a_chain_together(void) {
    uint32_t i;
    ws_journal_begin(&journal);
    ws_answers_start(&answers);
    for (i = 0; i < 100; i++) release(1, 1, 0);
    for (i = 0; i < WS_LANES; i++) {
        const ws_given *row = &answers.given[(journal.count + 1) % WS_GIVEN_KEPT];
        CHECK(!ws_answers_gives(&journal, &answers, journal.count, 0, MOST_TIME, WS_LANES + i));
        CHECK(row->from == journal.count && row->next == 0);
    }
}

CHECK_MAIN(what_is_given_is_the_same, lanes_walk_a_chain_together)
