// SPDX-License-Identifier: GPL-2.0-only
/* A runtime that is made up, read whole; and then one that lies: in any of its words, and meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "made_runtime.h"
#include "nettop/clock.h"
#include "read_all.h"

enum { PAGES = 500, ROUNDS = 400, LIES_MAX = 6 };

static struct made_runtime made;
static struct read_all all;
static unsigned long seed;
static unsigned reads;

/* ---- who lies ---- */

static uint32_t draw(void)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (uint32_t)(seed >> 33);
}

static uint64_t some_value(uint64_t place, uint64_t old)
{
	switch (draw() % 10) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX >> draw() % 64;
	case 2:
		return UINT64_C(1) << draw() % 64;
	case 3:
		return MADE_BASE + place; /* itself */
	case 4:
		return NT_ADDRESS_LIMIT - draw() % 32;
	case 5:
		return old ^ UINT64_C(1) << draw() % 64;
	case 6:
		return old + draw() % 64 - 32;
	case 7:
		return UINT64_MAX - draw() % 16;
	default:
		return MADE_BASE + draw() % made.used / 8 * 8;
	}
}

/* One word is another one: most often one that said something, and seldom the description, of which most is text. */
static void lie(void)
{
	uint64_t word = 0, place = 0;
	for (unsigned i = 0; i < 256 && !word; i++) {
		place = draw() % made.used / 8 * 8;
		bool text = place >= made.text && place < made.text + made.text_length;
		memcpy(&word, made.bytes + place, text && draw() % 32 ? 0 : sizeof(word));
	}
	word = some_value(place, word);
	memcpy(made.bytes + place, &word, sizeof(word));
}

static bool read_truth(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	(void)context;
	reads++;
	return made_read_page(&made, address, page);
}

static bool read_changing(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	bool good = read_truth(context, address, page);
	if (draw() % 2)
		lie();
	return good;
}

static void read_made(nt_page_read *read)
{
	reads = 0;
	bool holds = read_all(&all, read, NULL, PAGES, MADE_BASE);
	size_t steps = all.memory.steps;
	read_all_fini(&all);
	assert_true(holds);
	assert_in_range(reads, 0, PAGES);
	assert_in_range(steps, 0, (size_t)PAGES * NT_MEMORY_STEPS_OF_PAGE);
}

/* ---- tests ---- */

static void the_truth_is_read(void **state)
{
	(void)state;
	made_runtime_fill(&made);
	read_made(read_truth);
	assert_true(all.found && all.whole);
	assert_int_equal(all.thread_count, MADE_THREADS);
	assert_true(all.stack.complete);
	assert_int_equal(all.stack.count, MADE_FRAMES);
	for (unsigned i = 0; i < MADE_FRAMES; i++)
		assert_int_equal(all.stack.frames[i].pc, made.pcs[i]);
	assert_int_equal(all.stack.frames[0].code.method, made.method);
	assert_int_equal(all.stack.frames[0].code.size, 96);
	assert_int_equal(all.stack.frames[2].code.kind, NT_CONTRACT_R2R);
	assert_true(all.stack.frames[2].code.method != 0);
	assert_int_equal(all.monitor.object, made.object);
	assert_int_equal(all.monitor.owner_os_id, MADE_OWNER);
	assert_string_equal(all.name.text, "? [?] dynamicClass::" MADE_NAME "(?)");
	assert_int_equal(all.begins, 2);
	assert_int_equal(all.allocated_count, MADE_THREADS);
	assert_int_equal(all.allocated, MADE_THREADS * (MADE_SMALL - MADE_LEFT + MADE_LARGE));
	assert_true(all.pooled && all.pool.queued_known);
	assert_int_equal(all.pool.working, MADE_WORKING);
	assert_int_equal(all.pool.existing, MADE_EXISTING);
	assert_int_equal(all.pool.goal, MADE_GOAL);
	assert_int_equal(all.pool.min, MADE_MIN);
	assert_int_equal(all.pool.max, MADE_MAX);
	assert_int_equal(all.pool.queued, MADE_QUEUED);
	assert_true(all.statics_whole);
	assert_string_equal(all.static_name, "System.Threading.PortableThreadPool.ThreadPoolInstance");
	assert_true(all.listed_whole); /* of all types, then of the instances, one of which is one of these */
	assert_string_equal(all.listed_names, "ThreadPoolInstance s_workQueue s_queues s_workQueue ");
}

static void a_memory_that_lies(void **state)
{
	(void)state;
	unsigned found = 0, listed = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		made_runtime_fill(&made);
		for (unsigned lies = 1 + draw() % LIES_MAX; lies; lies--)
			lie();
		read_made(read_truth);
		found += all.found;
		listed += all.thread_count > 0;
	}
	print_message("%u of %u found, %u with threads\n", found, ROUNDS, listed);
	assert_true(found > ROUNDS / 8 && listed > ROUNDS / 16); /* else nothing was tried */
}

static void a_memory_that_changes_meanwhile(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		made_runtime_fill(&made);
		read_made(read_changing);
	}
}

/* A list that leads back, and a count that is no count: what is read ends, and is not called whole. */
static void read_with(uint64_t place, uint64_t value)
{
	made_runtime_fill(&made);
	made_u64(&made, place, value);
	read_made(read_truth);
	assert_true(all.found);
}

static void lists_without_an_end(void **state)
{
	(void)state;
	made_runtime_fill(&made);
	const struct made_runtime at = made;
	read_with(at.last_link, at.last_link);
	assert_false(all.whole);
	read_with(at.store + made_offset(NT_OFF_STORE_COUNT), UINT32_MAX);
	assert_false(all.whole);
	assert_int_equal(all.thread_count, 0);
	read_with(at.tree + 8 * 7, at.tree);
	assert_false(all.whole);
	read_with(at.fragment + made_offset(NT_OFF_FRAGMENT_NEXT), at.fragment);
	assert_false(all.whole);
	read_with(at.frame + made_offset(NT_OFF_FRAME_NEXT), at.frame);
	assert_int_equal(all.stack.count, 0);
}

/* Who says that somebody else's object, or no lock, is what a thread waits for is not believed. */
static void a_monitor_that_is_none(void **state)
{
	(void)state;
	made_runtime_fill(&made);
	const struct made_runtime at = made;
	read_with(at.monitor + 28, 2); /* another's index */
	assert_int_equal(all.monitor.object, 0);
	read_with(at.monitor, 1); /* nobody waits */
	assert_int_equal(all.monitor.object, 0);
	read_with(at.monitor + 16, UINT64_MAX); /* no thread has that number */
	assert_int_equal(all.monitor.object, 0);
	read_with(at.monitor + 16, MADE_WAITS); /* its own: somebody else waits for that */
	assert_int_equal(all.monitor.object, 0);
	read_with(at.monitor, 1 << 6); /* given up by now */
	assert_int_equal(all.monitor.object, at.object);
	assert_int_equal(all.monitor.owner_os_id, 0);
}

/* Counts that no pool has, and a field of another type. */
static void a_pool_that_is_none(void **state)
{
	(void)state;
	made_runtime_fill(&made);
	const struct made_runtime at = made;
	read_with(at.pool.counts, 5 | 4 << 16 | UINT64_C(5) << 32); /* more work than there are */
	assert_false(all.pooled);
	read_with(at.pool.counts, 1 | 4 << 16); /* aims at none */
	assert_false(all.pooled);
	read_with(at.pool.counts, UINT64_MAX);
	assert_false(all.pooled);
	read_with(at.pool.counts, 5 | 6 << 16 | UINT64_C(7) << 32); /* another one */
	assert_true(all.pooled);
	assert_int_equal(all.pool.goal, 7);
	read_with(at.pool.desc, 0); /* a field that is no field of its type */
	assert_false(all.pooled);
}

/* Where what waits cannot be believed the workers still are. */
static void without_its_items(void)
{
	assert_true(all.pooled);
	assert_false(all.pool.queued_known);
	assert_int_equal(all.pool.queued, 0);
	assert_int_equal(all.pool.existing, MADE_EXISTING);
}

static void a_queue_that_is_none(void **state)
{
	(void)state;
	made_runtime_fill(&made);
	const struct made_runtime at = made;
	read_with(at.pool.list, at.pool.part); /* of another type */
	without_its_items();
	read_with(made_at(at.pool.part, 2), at.pool.part); /* leads back to itself */
	without_its_items();
	read_with(made_at(at.pool.part, 2), 0); /* leads nowhere */
	without_its_items();
	read_with(made_at(at.pool.part, 1), 6); /* no length that a ring has */
	without_its_items();
	read_with(made_at(at.pool.part, 1), 15); /* nor that of its slots */
	without_its_items();
	read_with(at.pool.locals + made_offset(NT_OFF_ARRAY_COUNT), UINT32_MAX); /* of as many workers */
	without_its_items();
	read_with(made_at(at.pool.local, 2), INT32_MAX); /* more than its list has room for */
	without_its_items();
	read_with(made_at(at.pool.local, 0), UINT64_MAX);
	without_its_items();
	read_with(made_at(at.pool.local, 1), 8);
	assert_true(all.pool.queued_known);
	assert_int_equal(all.pool.queued, MADE_QUEUED - 1);
}

/* The collector moves what led to the counts while they are read: once it does not matter, always it does. */
static uint64_t moving;
static unsigned moves;

static bool read_moving(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	bool good = read_truth(context, address, page);
	if (moves && address == moving / NT_PAGE_BYTES * NT_PAGE_BYTES) {
		uint64_t value;
		memcpy(&value, made.bytes + (moving - MADE_BASE), sizeof(value));
		made_u64(&made, moving, value ^ 1);
		moves--;
	}
	return good;
}

static void a_pool_that_moves_meanwhile(void **state)
{
	(void)state;
	made_runtime_fill(&made);
	moving = made_at(made.pool.list, 0) - MADE_OBJECT_HEAD; /* bits of the collector's, which are no part of the type */
	moves = 1000;
	read_made(read_moving);
	assert_true(all.pooled);
	made_runtime_fill(&made);
	moving = made.pool.instance;
	moves = 1000;
	read_made(read_moving);
	assert_false(all.pooled);
	made_runtime_fill(&made);
	moving = made.pool.instance;
	moves = 2;
	read_made(read_moving);
	assert_true(all.pooled);
	moves = 0;
}

int main(void)
{
	seed = getenv("SEED") ? strtoul(getenv("SEED"), NULL, 10) : (unsigned long)nt_clock_now();
	print_message("SEED=%lu\n", seed);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_truth_is_read),
		cmocka_unit_test(a_memory_that_lies),
		cmocka_unit_test(a_memory_that_changes_meanwhile),
		cmocka_unit_test(lists_without_an_end),
		cmocka_unit_test(a_monitor_that_is_none),
		cmocka_unit_test(a_pool_that_is_none),
		cmocka_unit_test(a_queue_that_is_none),
		cmocka_unit_test(a_pool_that_moves_meanwhile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
