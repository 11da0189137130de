/* What is remembered of the journal's answers is what a look at each entry gives, whoever asks in whatever order. */
#include "../check.h"
#include "drawn.h"
#include <warpsim/run.h>

enum { ROUNDS = 400, STEPS = 60, BLOCKS = 3, PLACES = 3, WARPS = 2, MOST_TIME = 40, CLOCK_ROOM = 1 << 20 };

static uint8_t of_clock[2][CLOCK_ROOM];
static ws_journal_reader reader;
static ws_clock made[2], *clocks; /* made: of one block, of two */
static ws_journal journal;
static ws_answers answers;

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

static void begin(uint32_t ranks) {
    ws_arena arena = ws_arena_make(of_clock[ranks - 1], CLOCK_ROOM);
    if (made[ranks - 1].ranks == 0) CHECK(ws_clock_make(&made[ranks - 1], WARPS, ranks, &arena));
    clocks = &made[ranks - 1];
    ws_clock_start(clocks);
    ws_journal_begin(&journal);
    ws_journal_start(&reader);
    ws_answers_start(&answers);
}

/* Threads of the reader's cluster go on, come to know of each other, and acquire. */
static void go_on(uint32_t ranks) {
    const uint32_t warps = ranks * WARPS, warp = draw(warps), thread = warp * WS_LANES + draw(WS_LANES);
    const ws_acquirer by = {thread, clocks->now};
    clocks->now++;
    switch (draw(16)) {
        case 0: ws_clock_raise(clocks); break;
        case 1: ws_clock_raise_block(clocks, draw(ranks)); break;
        case 2: ws_clock_meet(clocks, warp, UINT32_C(1) << thread % WS_LANES | draw(1 << 16)); break;
        case 3: ws_clock_release(clocks, draw(warps) * WS_LANES + draw(4), warp, draw(1 << 16), clocks->now); break;
        case 4: ws_clock_raise_to(clocks, clocks->floor + draw(clocks->now - clocks->floor)); break;
        default:
            if (journal.count != 0) ws_journal_acquire(&journal, &reader, 1 + draw(journal.count), &by);
    }
}

static bool orders(uint32_t visitor, uint32_t block, uint32_t time, uint32_t thread) {
    uint32_t at;
    for (at = 0; at < journal.count; at++) {
        if (journal.entries[at].block == block && ws_journal_covers(&journal.entries[at], time, thread) &&
            ws_journal_knows(&reader, clocks, visitor, at))
            return true;
    }
    return false;
}

static void what_is_ordered_is_the_same(void) {
    uint32_t round, step, i, seen[2] = {0, 0};
    for (round = 0; round < ROUNDS; round++) {
        const uint32_t ranks = 1 + round % 2, threads = ranks * WARPS * WS_LANES;
        begin(ranks);
        for (step = 0; step < STEPS; step++) {
            if (draw(3) == 0) release(ranks, 1 + draw(PLACES), draw(BLOCKS));
            if (draw(3) == 0) go_on(ranks);
            for (i = 0; i < 8; i++) {
                const ws_question asked = {draw(threads), draw(BLOCKS), draw(MOST_TIME), draw(threads)};
                const bool expected = orders(asked.visitor, asked.block, asked.time, asked.thread);
                seen[expected]++;
                CHECK_EQUAL(ws_answers_orders(&journal, &reader, clocks, &answers, &asked), expected);
            }
        }
    }
    CHECK(seen[0] > 10000 && seen[1] > 10000);
}

/* The writer has gone on after what the reader knows. */
static void lanes_walk_what_they_do_not_know_together(void) {
    const ws_acquirer by = {0, 0};
    uint32_t i;
    begin(1);
    release(1, 1, 0);
    ws_journal_acquire(&journal, &reader, 1, &by);
    for (i = 0; i < 100; i++) release(1, 2, 0);
    for (i = 0; i < WS_LANES; i++) {
        const ws_question asked = {i, 0, MOST_TIME, WS_LANES + i};
        const ws_heard *row = &answers.heard[2];
        CHECK(!ws_answers_orders(&journal, &reader, clocks, &answers, &asked));
        CHECK(row->version == reader.version && row->warp == 1 && row->next == 0 && row->first == 1);
    }
}

CHECK_MAIN(what_is_given_is_the_same, lanes_walk_a_chain_together, what_is_ordered_is_the_same,
           lanes_walk_what_they_do_not_know_together)
