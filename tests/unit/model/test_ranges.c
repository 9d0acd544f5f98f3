// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

#include "symbol/ranges.h"

static bool same(const struct nt_range *a, const struct nt_range *b, const void *context)
{
	(void)context;
	return a->a == b->a;
}

static void add(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t value)
{
	nt_ranges_add(ranges, start, size, from, value, 0, 0);
}

static void add_plain(struct nt_ranges *ranges, uint64_t start, uint64_t size, uint32_t value, uint32_t b)
{
	nt_ranges_add_plain(ranges, &(struct nt_batch_place){ .start = start, .size = (uint32_t)size, .offset = value }, 1, b);
}

/* The value at an address and a time; 0 = nothing. */
static uint32_t at(const struct nt_ranges *ranges, uint64_t address, nt_time time)
{
	struct nt_range_hit hit = nt_ranges_find(ranges, address, time);
	assert_true(hit.valid_from <= time && time < hit.valid_to);
	return hit.found ? hit.range.a : 0;
}

static void test_later_wins_and_earlier_is_kept(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	add(&r, 0x1000, 0x100, 0, 1);
	nt_ranges_settle(&r, 10);
	add(&r, 0x1000, 0x80, 100, 2); /* the address is re-used */
	nt_ranges_settle(&r, 200);
	assert_int_equal(at(&r, 0x1010, 99), 1);
	assert_int_equal(at(&r, 0x1010, 100), 2);
	assert_int_equal(at(&r, 0x1090, 150), 1); /* not covered by the new one */
	assert_int_equal(at(&r, 0x1100, 150), 0);
	nt_ranges_settle(&r, 100 + NT_RANGES_KEEP_NS);
	assert_int_equal(at(&r, 0x1010, 99), 1);
	add(&r, 0x9000, 1, 0, 9);
	nt_ranges_settle(&r, 101 + NT_RANGES_KEEP_NS);
	nt_ranges_fini(&r);
}

static void test_replaced_is_forgotten_after_its_time(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	for (uint32_t i = 0; i < 1000; i++) {
		add(&r, 0x1000, 0x100, i * NT_NS_PER_S, i + 1);
		nt_ranges_settle(&r, i * NT_NS_PER_S);
	}
	assert_true(r.old_count <= 32);
	assert_int_equal(nt_ranges_count(&r), 1);
	assert_int_equal(at(&r, 0x1000, 990 * NT_NS_PER_S), 991);
	nt_ranges_fini(&r);
}

static void test_learnt_late(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	add(&r, 0x1000, 0x100, 50, 1);
	nt_ranges_settle(&r, 60);
	assert_int_equal(at(&r, 0x1000, 40), 1); /* ran before we heard of it */
	nt_ranges_end(&r, 0x1000, 0x100, 70);
	nt_ranges_settle(&r, 80);
	assert_int_equal(at(&r, 0x1000, 69), 1);
	assert_int_equal(at(&r, 0x1000, 70), 0);
	add(&r, 0x1000, 0x100, 90, 2);
	nt_ranges_settle(&r, 95);
	assert_int_equal(at(&r, 0x1000, 60), 1);
	assert_int_equal(at(&r, 0x1000, 75), 2);
	nt_ranges_fini(&r);
}

/* The file says two things of the same code from the same moment on: the later one held until it was replaced. */
static void test_same_beginning_replaced_together(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	add(&r, 0x1080, 0x40, 10, 1);
	add(&r, 0x1000, 0x100, 10, 2);
	add(&r, 0x1000, 0x100, 100, 3);
	nt_ranges_settle(&r, 200);
	assert_int_equal(at(&r, 0x1090, 50), 2);
	assert_int_equal(at(&r, 0x1010, 50), 2);
	assert_int_equal(at(&r, 0x1090, 100), 3);
	nt_ranges_fini(&r);
}

/* A whole map written again changes nothing: its entries keep their time. */
static void test_repetition(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 20000; i++)
			add(&r, 0x1000 + i * 0x40, 0x40, (nt_time)round * 1000, i % 1000 + 1);
		assert_true(nt_ranges_settle(&r, 2000));
	}
	assert_int_equal(nt_ranges_count(&r), 20000);
	assert_int_equal(r.old_count, 0);
	assert_int_equal(nt_ranges_find(&r, 0x1000, 500).range.from, 0);
	assert_false(nt_ranges_settle(&r, 2000));
	nt_ranges_fini(&r);
}

static void grow(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t value)
{
	nt_ranges_add_grown(ranges, start, size, from, value, 0, 0);
}

static void test_what_grows_replaces_nothing(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	for (uint32_t i = 1; i <= 1000; i++) {
		grow(&r, 0x100000, 0x1000 * i, i, 7);
		grow(&r, 0x100000, 0x1000 * i, i, 7); /* told twice */
		nt_ranges_settle(&r, i);
		assert_false(nt_ranges_settle(&r, i));
	}
	assert_int_equal(r.old_count, 0);
	assert_int_equal(nt_ranges_count(&r), 1);
	assert_int_equal(at(&r, 0x100000 + 999 * 0x1000, 1000), 7);
	grow(&r, 0x100000, 0x1000, 1001, 7);
	assert_false(nt_ranges_settle(&r, 1001)); /* nothing is new */
	grow(&r, 0x100000, 0x2000, 2000, 8);
	nt_ranges_settle(&r, 2000);
	assert_int_equal(at(&r, 0x100000, 1999), 7);
	assert_int_equal(at(&r, 0x100000, 2000), 8);
	grow(&r, 0x100000, 0x4000, 3000, 7); /* the first one again, over the other and over what is left of itself */
	nt_ranges_settle(&r, 3000);
	assert_int_equal(at(&r, 0x100000, 2999), 8);
	assert_int_equal(at(&r, 0x100000, 3000), 7);
	assert_int_equal(at(&r, 0x103000, 3000), 7);
	nt_ranges_fini(&r);
}

/* What grows over something else is new where that was; what is told between two settles counts in the order in which it was told. */
static void test_what_grows_over_others(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	grow(&r, 0x1000, 0x1000, 10, 7);
	grow(&r, 0x2000, 0x1000, 20, 8);
	nt_ranges_settle(&r, 20);
	grow(&r, 0x1000, 0x2000, 30, 7);
	nt_ranges_settle(&r, 30);
	assert_int_equal(at(&r, 0x2800, 29), 8);
	assert_int_equal(at(&r, 0x2800, 30), 7);
	assert_int_equal(at(&r, 0x1800, 15), 7);
	grow(&r, 0x1000, 0x2000, 40, 9);
	grow(&r, 0x1000, 0x2000, 50, 7);
	nt_ranges_settle(&r, 50);
	assert_int_equal(at(&r, 0x1800, 45), 9);
	assert_int_equal(at(&r, 0x1800, 50), 7);
	nt_ranges_end(&r, 0x1000, 0x1000, 60);
	grow(&r, 0x1000, 0x2000, 70, 7);
	nt_ranges_settle(&r, 70);
	assert_int_equal(at(&r, 0x1800, 70), 7);
	nt_ranges_fini(&r);
}

static void test_hostile_ranges(void **state_)
{
	(void)state_;
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	add(&r, 0x1000, 0, 0, 1);
	add(&r, UINT64_MAX - 5, 100, 0, 2);
	add(&r, 0, UINT64_MAX, 0, 3);
	for (uint32_t i = 0; i < 500; i++) /* nested deeper than anybody's code map */
		add(&r, i, UINT64_MAX - 2 * i, NT_TIME_UNKNOWN - i, i + 10);
	nt_ranges_settle(&r, 0);
	(void)nt_ranges_find(&r, UINT64_MAX, 0);
	(void)nt_ranges_find(&r, 300, NT_TIME_UNKNOWN);
	assert_true(nt_ranges_find(&r, 0, 5).found);
	nt_ranges_fini(&r);
}

/* ---- against a slow table that is obviously right ---- */

enum { OPERATIONS_MAX = 60000 };

struct slow {
	uint64_t start, end;
	nt_time from;
	uint32_t value; /* 0 = end */
};

static uint32_t slow_at(const struct slow *all, size_t count, uint64_t address, nt_time time)
{
	const struct slow *now = NULL, *next = NULL;
	for (size_t i = 0; i < count; i++) {
		if (address < all[i].start || address >= all[i].end)
			continue;
		if (all[i].from <= time)
			now = &all[i];
		else if (!next && all[i].value)
			next = &all[i];
	}
	if (now && now->value)
		return now->value;
	return next ? next->value : 0;
}

/* Methods that come and go at the same places without end: what is kept of those that went is bounded, and so is what says that they went. */
static void test_code_that_comes_and_goes(void **state_)
{
	(void)state_;
	enum { PLACES = 8192, ROUNDS = 20, OLD_MOST = 1 << 13 };
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	nt_time now = NT_NS_PER_S;
	for (uint32_t i = 0; i < PLACES * ROUNDS; i++) {
		uint64_t start = 0x1000 + UINT64_C(64) * (i % PLACES);
		if (i >= PLACES)
			nt_ranges_end(&r, start, 64, now);
		now += NT_NS_PER_MS;
		if (i < PLACES * (ROUNDS - 1))
			add(&r, start, 40, now, i + 1);
		if (i % 1000 == 999)
			nt_ranges_settle(&r, now);
	}
	/* The newest that was replaced is still known, and nothing is where all ended. */
	assert_int_equal(at(&r, 0x1000 + 64 * (PLACES - 1), now - 2 * NT_NS_PER_MS), PLACES * (ROUNDS - 1));
	nt_ranges_settle(&r, now);
	assert_in_range(nt_ranges_count(&r), 0, 2 * PLACES); /* folded later: what is gone, and what says so */
	assert_in_range(r.old_count, OLD_MOST / 2, OLD_MOST);
	nt_ranges_settle(&r, now + 2 * NT_RANGES_KEEP_NS);
	assert_int_equal(r.old_count, 0);
	nt_ranges_fini(&r);
}

/* Much is replaced at a program's start, little later: memory goes back with what is forgotten. */
static void test_a_burst_of_replaced_code(void **state_)
{
	(void)state_;
	enum { BURST = 8000, LATER_S = 40 };
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	for (uint32_t i = 0; i < 2 * BURST; i++)
		add(&r, 0x1000 + UINT64_C(64) * (i % BURST), 64, NT_NS_PER_S + i, i + 1);
	nt_ranges_settle(&r, 2 * NT_NS_PER_S);
	assert_int_equal(r.old_count, BURST);
	for (uint32_t second = 2; second < LATER_S; second++) {
		add(&r, 0x1000, 64, second * NT_NS_PER_S, 3 * BURST + second);
		nt_ranges_settle(&r, second * NT_NS_PER_S);
	}
	assert_in_range(r.old_count, 1, LATER_S);
	assert_true(r.old_capacity < BURST / 8);
	/* What was there before the last change is still known. */
	assert_int_equal(at(&r, 0x1000, (LATER_S - 2) * NT_NS_PER_S), 3 * BURST + LATER_S - 2);
	nt_ranges_fini(&r);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/*
 * Few addresses: much overlap. Many: the small array overflows into the large one. All that comes before operation `plain_end` holds since ever, and
 * from `plain` on these are plain ranges.
 */
struct plan {
	size_t operations;
	uint32_t addresses, settle_every;
	size_t plain, plain_end;
	nt_time tick; /* between operations, about; 0 = 1 ns: nothing is ever forgotten */
	bool packs;
};

static void compare_with_slow(uint32_t seed, const struct plan *plan)
{
	const size_t operations = plan->operations, plain = plan->plain, plain_end = plan->plain_end;
	const uint32_t addresses = plan->addresses, settle_every = plan->settle_every;
	const nt_time tick = plan->tick ? plan->tick : 1;
	static struct slow all[OPERATIONS_MAX];
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	r.packs = plan->packs;
	r.old_limit = SIZE_MAX;
	nt_time now = 1000 * tick;
	size_t count = 0;
	while (count < operations) {
		struct slow *s = &all[count++];
		now += (next_random(&seed) % 3 + 1) * tick;
		*s = (struct slow){ .start = next_random(&seed) % addresses, .from = count <= plain_end ? 0 : now };
		s->end = s->start + 1 + next_random(&seed) % 24;
		s->value = next_random(&seed) % 8 ? (uint32_t)count : 0;
		if (s->value && count > 10 && next_random(&seed) % 16 == 0) { /* say something again */
			const struct slow *before = &all[count - 2];
			if (before->value) {
				s->start = before->start;
				s->end = before->end;
				s->value = before->value;
			}
		}
		if (s->value && count > plain && count <= plain_end)
			add_plain(&r, s->start, s->end - s->start, s->value, 0);
		else if (s->value)
			add(&r, s->start, s->end - s->start, s->from, s->value);
		else
			nt_ranges_end(&r, s->start, s->end - s->start, s->from);
		if (next_random(&seed) % settle_every)
			continue;
		nt_ranges_settle(&r, now);
		for (int i = 0; i < 50; i++) {
			uint64_t address = next_random(&seed) % (addresses + 30);
			nt_time time = now - next_random(&seed) % (now / tick - 900) * tick;
			if (time + NT_RANGES_KEEP_NS < now)
				continue;
			uint32_t value = slow_at(all, count, address, time);
			assert_int_equal(at(&r, address, time), value);
			if (i % 10)
				continue; /* these take long */
			struct nt_extent extent = nt_ranges_find(&r, address, time).extent;
			assert_true(extent.low <= address && address < extent.high);
			if (extent.high > addresses + 30)
				extent.high = addresses + 30;
			assert_int_equal(slow_at(all, count, extent.low, time), value);
			assert_int_equal(slow_at(all, count, extent.high - 1, time), value);
		}
	}
	nt_ranges_fini(&r);
}

static void test_random_operations(void **state_)
{
	(void)state_;
	for (uint32_t seed = 1; seed <= 10; seed++) {
		compare_with_slow(seed, &(struct plan){ 3000, 400, 5, 0, 0, 0, false });
		compare_with_slow(seed, &(struct plan){ 3000, 400, 500, 0, 0, 0, false });
	}
	compare_with_slow(7, &(struct plan){ OPERATIONS_MAX, 1000000, 3000, 0, 0, 0, false });
	compare_with_slow(8, &(struct plan){ OPERATIONS_MAX, 200000, 6000, 0, 0, 0, false });
}

static void test_random_operations_with_plain_ranges(void **state_)
{
	(void)state_;
	for (uint32_t seed = 1; seed <= 10; seed++) {
		compare_with_slow(seed, &(struct plan){ 3000, 400, 200, 0, 300, 0, false });
		compare_with_slow(seed, &(struct plan){ 3000, 3000, 500, 300, 900, 0, false });
		compare_with_slow(seed, &(struct plan){ 3000, 20000, 200, 100, 3000, 0, false });
	}
	compare_with_slow(7, &(struct plan){ OPERATIONS_MAX, 1000000, 6000, 100, OPERATIONS_MAX, 0, false });
	compare_with_slow(8, &(struct plan){ OPERATIONS_MAX, 200000, 6000, 20000, 45000, 0, false });
}

/* The same of a table that packs, in which all times stay, and in which what holds for long becomes plain. */
static void test_random_operations_of_a_table_that_packs(void **state_)
{
	(void)state_;
	compare_with_slow(6, &(struct plan){ OPERATIONS_MAX / 2, 50000, 3000, 0, 0, 0, true });
	compare_with_slow(9, &(struct plan){ OPERATIONS_MAX / 2, 50000, 2000, 3000, 9000, 3 * NT_NS_PER_MS, true });
	compare_with_slow(7, &(struct plan){ OPERATIONS_MAX / 2, 1000000, 3000, 100, OPERATIONS_MAX / 4, 2 * NT_NS_PER_MS, true });
	compare_with_slow(8, &(struct plan){ OPERATIONS_MAX, 200000, 2000, 20000, 30000, 2 * NT_NS_PER_MS, true });
}

/* What it is for: a large map takes 16 bytes a line, in whatever order its lines are. */
static void test_plain_ranges_stay_plain(void **state_)
{
	(void)state_;
	enum { COUNT = 50000, SIZE = 0x40, STEP = 7 /* has no divisor in common with COUNT */ };
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	for (uint64_t i = 0; i < COUNT; i++) {
		add_plain(&r, 0x7f0000000000 + i * STEP % COUNT * SIZE, SIZE, (uint32_t)i + 1, 3);
		if (i == COUNT / 3)
			nt_ranges_settle(&r, 1);
	}
	add_plain(&r, 0x7f0000000000, SIZE, COUNT + 1, 3); /* the first one's place once more */
	assert_true(nt_ranges_settle(&r, 1));
	assert_int_equal(r.plain.count, COUNT);
	assert_int_equal(nt_ranges_count(&r), COUNT + 1);
	assert_int_equal(at(&r, 0x7f0000000000, 1), COUNT + 1);
	for (uint64_t i = 1; i < COUNT; i++) {
		struct nt_range_hit hit = nt_ranges_find(&r, 0x7f0000000000 + i * STEP % COUNT * SIZE + SIZE - 1, 1);
		assert_true(hit.found);
		assert_int_equal(hit.range.a, i + 1);
		assert_int_equal(hit.range.b, 3);
	}
	assert_int_equal(at(&r, 0x7f0000000000 + COUNT * SIZE, 1), 0);
	nt_ranges_end(&r, 0x7f0000000000 + SIZE, SIZE, 100);
	nt_ranges_settle(&r, 200);
	assert_int_not_equal(at(&r, 0x7f0000000000 + SIZE, 99), 0);
	assert_int_equal(at(&r, 0x7f0000000000 + SIZE, 100), 0);
	nt_ranges_fini(&r);
}

/* Where code is made and goes for hours, what is kept does not grow with what there was. */
static void test_packed_ranges_do_not_pile_up(void **state_)
{
	(void)state_;
	enum { PLACES = 6000, SIZE = 0x40, ROUNDS = 20 };
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	r.packs = true;
	nt_time now = NT_NS_PER_S;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (uint32_t i = 0; i < PLACES; i++) {
			now += NT_NS_PER_MS;
			if (i % 3 == 0)
				nt_ranges_end(&r, 0x10000 + i * SIZE, SIZE, now);
			else
				add(&r, 0x10000 + i * SIZE, SIZE, now, round * PLACES + i + 1);
		}
		nt_ranges_settle(&r, now);
		now += 2 * NT_RANGES_KEEP_NS;
		add(&r, 0x1000, 1, now, round + 1);
		nt_ranges_settle(&r, now);
		assert_int_equal(at(&r, 0x10000 + 4 * SIZE + 8, now), round * PLACES + 5);
		assert_int_equal(at(&r, 0x10000 + 3 * SIZE + 8, now), 0);
	}
	assert_true(r.plain.count > PLACES / 2);
	assert_true(nt_ranges_count(&r) < 2 * PLACES);
	assert_true(r.plain.groups.count < 2000);
	nt_ranges_fini(&r);
}

/* A later line of the map wins over what is there already, wherever that is kept. */
static void test_plain_ranges_over_others(void **state_)
{
	(void)state_;
	enum { MANY = 10000, FEW = 100, SIZE = 0x40, LARGE_AT = 0x100000, SMALL_AT = 0x800000, NEW_AT = 0x900000 };
	struct nt_ranges r;
	nt_ranges_init(&r, same, NULL);
	uint32_t value = 0;
	for (uint32_t i = 0; i < MANY; i++)
		add(&r, LARGE_AT + i * SIZE, SIZE, 0, ++value);
	nt_ranges_settle(&r, 1);
	for (uint32_t i = 0; i < FEW; i++)
		add(&r, SMALL_AT + i * SIZE, SIZE, 0, ++value);
	nt_ranges_settle(&r, 1);
	assert_true(r.large.count == MANY && r.small.count == FEW);
	add(&r, NEW_AT, SIZE, 0, ++value);
	const uint64_t places[] = { LARGE_AT, LARGE_AT + MANY / 2 * SIZE, SMALL_AT + FEW / 2 * SIZE, NEW_AT };
	const uint32_t before = value;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		add_plain(&r, places[i], SIZE, ++value, 0);
	nt_ranges_settle(&r, 1);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		assert_int_equal(at(&r, places[i], 1), before + 1 + i);
	assert_int_equal(at(&r, LARGE_AT + SIZE, 1), 2);
	nt_ranges_fini(&r);
}

/* Hours of compilations, each with a time of its own: there is a group for all that are in use. */
static void test_groups_are_joined(void **state_)
{
	(void)state_;
	enum { TIMES = 100000 };
	struct nt_groups groups = { 0 };
	uint32_t last = NT_GROUP_NONE;
	for (nt_time i = 1; i <= TIMES; i++) {
		struct nt_group group = { .from = i * NT_NS_PER_S + i, .b = 3 };
		last = nt_groups_intern(&groups, &group, NT_GROUP_LIMIT);
		assert_int_not_equal(last, NT_GROUP_NONE);
		assert_int_equal(nt_groups_intern(&groups, &group, NT_GROUP_LIMIT), last);
		if (!nt_groups_crowded(&groups))
			continue;
		bool *used = calloc(groups.count, sizeof(*used));
		memset(used, true, groups.count - 1); /* but the last */
		struct nt_group first = groups.items[0];
		nt_time oldest = group.from - NT_RANGES_KEEP_NS;
		uint16_t *number = nt_groups_join(&groups, used, oldest);
		assert_true(groups.items[number[0]].from <= first.from &&
			    groups.items[number[0]].from + groups.grain + NT_NS_PER_S > first.from);
		assert_int_equal(number[last], NT_GROUP_NONE);
		free(number);
		free(used);
	}
	assert_true(groups.count < NT_GROUP_LIMIT && groups.grain > NT_NS_PER_S);
	nt_groups_fini(&groups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_later_wins_and_earlier_is_kept),
		cmocka_unit_test(test_replaced_is_forgotten_after_its_time),
		cmocka_unit_test(test_learnt_late),
		cmocka_unit_test(test_same_beginning_replaced_together),
		cmocka_unit_test(test_repetition),
		cmocka_unit_test(test_what_grows_replaces_nothing),
		cmocka_unit_test(test_what_grows_over_others),
		cmocka_unit_test(test_hostile_ranges),
		cmocka_unit_test(test_code_that_comes_and_goes),
		cmocka_unit_test(test_a_burst_of_replaced_code),
		cmocka_unit_test(test_random_operations),
		cmocka_unit_test(test_random_operations_with_plain_ranges),
		cmocka_unit_test(test_random_operations_of_a_table_that_packs),
		cmocka_unit_test(test_plain_ranges_stay_plain),
		cmocka_unit_test(test_packed_ranges_do_not_pile_up),
		cmocka_unit_test(test_groups_are_joined),
		cmocka_unit_test(test_plain_ranges_over_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
