/* Flags that a cluster has seen: that most of them are not looked at, lane by lane, changes no answer. */
#include "../check.h"
#include "drawn.h"
#include <warpsim/run.h>

enum { ROUNDS = 200, STEPS = 60, BLOCKS = 3, PLACES = 3, WARPS = 2, THREADS = WARPS * WS_LANES, MOST_TIME = 40 };
enum { PLACE_BYTES = 4, PROGRAM = 4 /* steps */, CLOCK_ROOM = 1 << 20 };

static uint8_t of_clock[CLOCK_ROOM], of_sights[CLOCK_ROOM];
static ws_journal journal;
static ws_judge judge;

/* One of few, so that they meet their own writes. */
static uint32_t draw_thread(void) { return draw(WARPS) * WS_LANES + draw(2); }

static void begin(void) {
    ws_arena arena = ws_arena_make(of_clock, CLOCK_ROOM), sights = ws_arena_make(of_sights, CLOCK_ROOM);
    if (judge.clock.ranks == 0) {
        CHECK(ws_clock_make(&judge.clock, WARPS, 1, &arena));
        ws_sights_make(&judge.sights, THREADS, &sights);
    }
    judge.rank_shift = 32;
    judge.journal = &journal;
    ws_clock_start(&judge.clock);
    ws_journal_begin(&journal);
    ws_sights_start(&judge.sights, THREADS);
}

/* A thread writes, of this block (0) or of another. */
static void write(uint32_t place, uint32_t block, uint32_t thread, bool changes) {
    ws_flag flag;
    memset(&flag, 0, sizeof flag);
    flag.given.place = WS_KEY_PLACE(true, place * PLACE_BYTES);
    flag.given.block = block;
    flag.given.thread = thread;
    flag.given.each = THREADS;
    flag.given.time = draw(MOST_TIME);
    flag.given.floor = flag.given.own_floor = draw(8) == 0 ? draw(MOST_TIME) : 0;
    flag.given.warps = draw(2) << draw(WARPS);
    flag.given.passed[0][0].lanes = flag.given.passed[1][1].lanes = draw(1 << 16);
    flag.given.passed[0][0].until = flag.given.passed[1][1].until = draw(MOST_TIME);
    flag.step = draw(PROGRAM);
    flag.changes = changes;
    judge.sights.version += ws_flags_add(&journal.flags, &flag);
}

static void see(uint32_t place, uint32_t thread) {
    const uint64_t at = place * PLACE_BYTES;
    const ws_sight sight = {at, ws_flags_read(&journal.flags, WS_KEY_PLACE(true, at), 0, thread), judge.clock.now++,
                            draw(PROGRAM), PLACE_BYTES};
    if (sight.flag != 0) ws_sights_add(&judge.sights, thread, &sight);
}

static ws_visit visits(uint32_t thread) {
    ws_visit visit;
    memset(&visit, 0, sizeof visit);
    visit.stamp.time = judge.clock.now;
    visit.stamp.who = thread;
    visit.address = draw(PLACES + 1) * PLACE_BYTES;
    visit.space = WS_AT_GLOBAL;
    return visit;
}

/* ws_sights_after, which asks each. */
static const ws_flag *after(const ws_visit *visit, const ws_stamp *before, uint32_t block, bool is_own) {
    uint32_t reader, i;
    for (reader = 0; reader < THREADS; reader++) {
        for (i = 0; i < WS_SIGHTS_KEPT; i++) {
            const ws_sight *row = &judge.sights.rows[reader * WS_SIGHTS_KEPT + i];
            const ws_flag *flag;
            if (row->flag == 0 || (visit->address - row->address < row->nbytes) != is_own) continue;
            if (!ws_clock_orders(&judge.clock, visit->stamp.who, reader, row->time)) continue;
            flag = ws_flags_after(&journal.flags, row->flag, block, before->time, before->who & WS_WHO_THREAD, is_own);
            if (flag != NULL && (is_own || flag->step != before->who >> WS_WHO_STEP)) return flag;
        }
    }
    return NULL;
}

static void what_flags_say_is_the_same(void) {
    uint32_t round, step, i, seen[2] = {0, 0};
    for (round = 0; round < ROUNDS; round++) {
        begin();
        for (step = 0; step < STEPS; step++) {
            if (draw(2) == 0) write(draw(PLACES), draw(BLOCKS), draw_thread(), draw(2) == 0);
            if (draw(2) == 0) see(draw(PLACES), draw_thread());
            if (draw(8) == 0) ws_clock_raise(&judge.clock);
            for (i = 0; i < 16; i++) {
                const ws_visit visit = visits(draw_thread());
                const ws_stamp before = {draw(MOST_TIME), draw_thread() | draw(PROGRAM) << WS_WHO_STEP};
                const uint32_t block = draw(BLOCKS);
                const bool is_own = draw(2) == 0;
                const ws_flag *expected = after(&visit, &before, block, is_own);
                seen[expected != NULL]++;
                CHECK(ws_sights_after(&judge, &visit, &before, block, is_own) == expected);
            }
        }
    }
    CHECK(seen[0] > 1000 && seen[1] > 1000);
}

/* Atomics see those before them, but not all: what two see overlaps, and the later one is asked for first. */
static void looks_overlap(void) {
    const ws_visit visit = visits(0);
    uint32_t i, thread;
    begin();
    for (i = 0; i < 3 * WS_FLAGS_LOOK_BACK; i++) {
        write(0, 1, i % 8, true);
        if (i == 2 * WS_FLAGS_LOOK_BACK) see(0, 1);
    }
    see(0, 0);
    ws_clock_raise(&judge.clock);
    for (thread = 0; thread < 8; thread++) {
        for (i = 0; i < MOST_TIME; i++) {
            const ws_stamp before = {i, thread};
            CHECK(ws_sights_after(&judge, &visit, &before, 1, false) == after(&visit, &before, 1, false));
            CHECK(ws_sights_after(&judge, &visit, &before, 1, true) == after(&visit, &before, 1, true));
        }
    }
}

/* Nobody but its thread has read it. */
static void a_flag_that_is_written_again_says_more(void) {
    uint32_t round, i, seen = 0;
    for (round = 0; round < ROUNDS; round++) {
        const ws_visit visit = visits(0);
        begin();
        for (i = 0; i < 2 * MOST_TIME; i++) {
            const ws_stamp before = {i % MOST_TIME, 1};
            if (i % MOST_TIME == 0) write(1, 0, 1, false);
            if (i == 0) see(1, 1);
            if (i == 0) ws_clock_raise(&judge.clock);
            CHECK(ws_sights_after(&judge, &visit, &before, 0, false) == after(&visit, &before, 0, false));
            seen += after(&visit, &before, 0, false) != NULL;
        }
        CHECK(journal.flags.count == 1);
    }
    CHECK(seen > 1000);
}

/* What a lane has asked of a warp, the others know: of later accesses no flag says anything. */
static void lanes_look_at_flags_together(void) {
    uint64_t walks;
    uint32_t i;
    begin();
    for (i = 0; i < STEPS; i++) {
        write(draw(PLACES), 1, draw(THREADS), true);
        see(draw(PLACES), draw_thread());
    }
    ws_clock_raise(&judge.clock);
    walks = judge.sights.walk;
    for (i = 0; i < WS_LANES; i++) {
        const ws_visit visit = visits(i);
        const ws_stamp before = {MOST_TIME, WS_LANES + i};
        CHECK(ws_sights_after(&judge, &visit, &before, 1, false) == NULL);
        CHECK_EQUAL(judge.sights.walk, walks + 1);
    }
}

CHECK_MAIN(what_flags_say_is_the_same, looks_overlap, a_flag_that_is_written_again_says_more,
           lanes_look_at_flags_together)
