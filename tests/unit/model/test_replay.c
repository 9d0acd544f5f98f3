// SPDX-License-Identifier: GPL-2.0-only
/*
 * Batches from outside: a recording may say anything. Random batches, from plausible to nonsense, must not crash the model (run under the
 * sanitizers), and applied again to a fresh model with the same ticks they must give the same snapshots, byte for byte.
 */
#include "build.h"
#include "dump.h"

enum { ROUNDS = 60, BATCHES_PER_ROUND = 6, EVENTS_PER_BATCH = 200, LINES = 8, LAST_ROUNDS = 3 * ROUNDS / 4 };

struct random {
	uint64_t state;
};

static uint64_t next(struct random *random)
{
	random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint64_t x = random->state;
	return (x >> 33) ^ (x << 21);
}

static uint64_t below(struct random *random, uint64_t limit)
{
	return next(random) % limit;
}

/* A value of an odd kind now and then: 0, all ones, near powers of two. */
static uint64_t odd(struct random *random, uint64_t limit)
{
	switch (below(random, 40)) {
	case 0:
		return UINT64_MAX;
	case 1:
		return UINT64_C(1) << below(random, 64);
	case 2:
		return (UINT64_C(1) << below(random, 64)) - 1;
	default:
		return below(random, limit);
	}
}

static void fill_text(struct random *random, struct nt_batch *batch)
{
	static const char *const texts[] = {
		"Shop.Work()", "System.String", "/usr/lib/libfoo.so", "[kernel]", "", "\xff\xfe\x00x", "[vdso]"
	};
	for (int i = 0; i < 12; i++) {
		const char *value = texts[below(random, 7)];
		nt_batch_announce_str(batch, (nt_str)(below(random, 20) ? below(random, 64) : next(random)), value, strlen(value));
	}
	static const char *const lines[] = { "void [Shop] Shop.Type::Work()[QuickJitted]", "stub<7> Jump<Stub>", "\xff\x01",
					     "int32 [A] T::M(int32" };
	nt_batch_add(batch, NT_EV_CODE, ms(0), PID, 0);
	for (int i = 0; i < LINES; i++) {
		const char *line = lines[below(random, 4)];
		const struct nt_batch_line code = { .start = 0x7000 + below(random, 0x3000),
						    .size = (uint32_t)below(random, 0x400),
						    .length = (uint16_t)strlen(line),
						    .kind = (uint16_t)below(random, NT_CODE_KIND_COUNT) };
		nt_batch_add_lines(batch, &code, 1, line);
	}
	nt_batch_add(batch, NT_EV_CODE, ms(0), PID, 0)->u.code = (struct nt_ev_code){ .map = 1, .kind = NT_CODE_JIT };
	for (int i = 0; i < LINES; i++) {
		const struct nt_batch_place place = { .start = 0x7000 + below(random, 0x3000),
						      .size = (uint32_t)below(random, 0x400),
						      .offset = (uint32_t)below(random, 0x10000) };
		nt_batch_add_places(batch, &place, 1);
	}
	uint64_t addresses[40];
	for (int i = 0; i < 12; i++) {
		unsigned count = (unsigned)below(random, 40);
		for (unsigned a = 0; a < count; a++)
			addresses[a] = below(random, 4) ? 0x7000 + below(random, 0x3000) : odd(random, 0x500000);
		nt_batch_announce_stack(batch, (nt_stack)(below(random, 20) ? below(random, 64) : next(random)), addresses,
					(unsigned)below(random, count + 1), count);
	}
}

/* Break the bookkeeping of a batch: offsets and lengths that lead out of it. */
static void break_batch(struct random *random, struct nt_batch *batch)
{
	if (batch->str_count) {
		struct nt_batch_str *str = &batch->strs[below(random, batch->str_count)];
		str->offset = odd(random, 1000);
		str->length = (uint32_t)odd(random, 1000);
	}
	if (batch->line_count) {
		struct nt_batch_line *line = &batch->lines[below(random, batch->line_count)];
		*line = (struct nt_batch_line){ .start = odd(random, 0x9000),
						.size = (uint32_t)odd(random, 0x1000),
						.offset = (uint32_t)odd(random, 1000),
						.length = (uint16_t)odd(random, 1000) };
	}
	if (batch->place_count)
		batch->places[below(random, batch->place_count)] = (struct nt_batch_place){ .start = odd(random, 0x9000),
											    .size = (uint32_t)odd(random, 0x1000),
											    .offset = (uint32_t)odd(random, 1000) };
	if (batch->stack_count) {
		struct nt_batch_stack *stack = &batch->stacks[below(random, batch->stack_count)];
		stack->offset = odd(random, 1000);
		stack->count = (uint16_t)next(random);
		stack->kernel_count = (uint16_t)next(random);
	}
}

/* Plausible small numbers in every word of the payload, which may be ids, times, sizes, counts or addresses; odd ones now and then. */
static void fill_event(struct random *random, struct nt_event *e, bool nonsense)
{
	uint64_t words[sizeof(e->u) / 8];
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		uint64_t low = below(random, 3) ? below(random, 16) : 0x7000 + below(random, 0x3000);
		words[i] = nonsense ? odd(random, UINT64_MAX) : low | below(random, 3) << 32;
	}
	memcpy(&e->u, words, sizeof(words));
	if (e->kind == NT_EV_CODE && !nonsense)
		e->u.code = (struct nt_ev_code){ .from = e->time,
						 .first = (uint32_t)below(random, LINES),
						 .count = (uint32_t)below(random, 4),
						 .map = (uint32_t)below(random, 2),
						 .kind = (uint32_t)below(random, NT_CODE_KIND_COUNT) };
	if (e->kind == NT_EV_EXCEPTION_THROWN && !nonsense)
		e->u.exception.type = (nt_str)below(random, 8);
}

static enum nt_event_kind random_kind(struct random *random)
{
	for (;;) {
		enum nt_event_kind kind = (enum nt_event_kind)below(random, NT_EV_LIMIT);
		if (nt_event_kind_exists(kind))
			return kind;
	}
}

static struct nt_batch *random_batch(struct random *random, double at_ms, bool nonsense)
{
	struct nt_batch *batch = nt_batch_new((enum nt_source_id)below(random, NT_SOURCE_COUNT));
	batch->epoch = (uint32_t)below(random, 30) ? 1 : (uint32_t)next(random);
	fill_text(random, batch);
	for (int i = 0; i < EVENTS_PER_BATCH; i++) {
		enum nt_event_kind kind = random_kind(random);
		if (kind == NT_EV_END && at_ms < LAST_ROUNDS * 250.0)
			kind = NT_EV_ASK; /* what comes after the end tests little */
		nt_time time = ms(at_ms + (double)below(random, 500));
		if (below(random, 50) == 0)
			time = odd(random, UINT64_MAX);
		uint32_t pid = below(random, 30) ? PID : (uint32_t)below(random, 3);
		struct nt_event *e = nt_batch_add(batch, kind, time, pid, (uint32_t)below(random, 40));
		fill_event(random, e, nonsense && below(random, 3) == 0);
		if (kind == NT_EV_SOURCE_STATE && below(random, 3))
			e->u.source_state.state = NT_STATE_DELIVERING;
		if (nonsense && below(random, 100) == 0)
			e->kind = (uint16_t)next(random);
	}
	if (nonsense && below(random, 4) == 0)
		break_batch(random, batch);
	return batch;
}

struct recording {
	struct nt_batch *batches[ROUNDS * BATCHES_PER_ROUND];
};

static void record(struct recording *recording, uint64_t seed, bool nonsense)
{
	struct random random = { seed };
	for (size_t i = 0; i < ROUNDS * BATCHES_PER_ROUND; i++)
		recording->batches[i] = random_batch(&random, (double)(i / BATCHES_PER_ROUND) * 250, nonsense);
}

/* The texts of all snapshots, joined; the caller frees. */
static char *play(const struct recording *recording)
{
	char *all = NULL;
	size_t length;
	FILE *out = open_memstream(&all, &length);
	struct nt_model *model = new_model();
	for (size_t i = 0; i < ROUNDS * BATCHES_PER_ROUND; i++) {
		nt_model_apply(model, recording->batches[i]);
		if (i % BATCHES_PER_ROUND)
			continue;
		nt_time now = ms((double)(i / BATCHES_PER_ROUND) * 250);
		for (struct nt_snapshot *s; (s = nt_model_tick(model, now));) {
			char *text = dump(s);
			fputs(text, out);
			free(text);
			nt_snapshot_release(s);
		}
	}
	struct nt_snapshot *s = nt_model_close(model, ms(ROUNDS * 250.0), true);
	char *text = dump(s);
	fputs(text, out);
	free(text);
	nt_snapshot_release(s);
	nt_model_free(model);
	fclose(out);
	return all;
}

static void play_twice(uint64_t seed, bool nonsense)
{
	static struct recording recording;
	record(&recording, seed, nonsense);
	char *first = play(&recording);
	char *again = play(&recording);
	assert_string_equal(first, again);
	assert_true(strlen(first) > 1000);
	free(first);
	free(again);
	for (size_t i = 0; i < ROUNDS * BATCHES_PER_ROUND; i++)
		nt_batch_free(recording.batches[i]);
}

static void test_plausible_batches(void **state_)
{
	(void)state_;
	for (uint64_t seed = 1; seed <= 6; seed++)
		play_twice(seed, false);
}

static void test_nonsense(void **state_)
{
	(void)state_;
	for (uint64_t seed = 100; seed <= 108; seed++)
		play_twice(seed, true);
}

/* A source out of range cannot come from our own code, but from a file it can. */
static void test_unknown_source(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_LTTNG);
	nt_batch_add(batch, NT_EV_IDLE, ms(1), PID, 0);
	batch->source = (enum nt_source_id)77;
	nt_model_apply(model, batch);
	nt_batch_free(batch);
	nt_snapshot_release(nt_model_close(model, ms(100), true));
	nt_model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plausible_batches),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_unknown_source),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
