// SPDX-License-Identifier: GPL-2.0-only
/* What a reader of the target's memory may say, and what the kernel says of a thread that waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "source/contract/reader_wire.h"
#include "source/common/wait_fact.h"
#include "source/runtime/looked_threads.h"

#include <string.h>

static uint8_t packet[4096];

static size_t put_thread(uint32_t how, uint32_t count, size_t frames)
{
	const struct nt_reader_thread thread = { .what = NT_READER_THREAD, .tid = 77, .how = how, .count = count };
	memcpy(packet, &thread, sizeof(thread));
	return sizeof(thread) + frames * sizeof(uint64_t);
}

static void records_are_taken_one_by_one(void **state)
{
	(void)state;
	struct nt_reader_record record;
	size_t length = put_thread(NT_READER_WHOLE, 2, 2);
	const struct nt_reader_end end = { .what = NT_READER_END, .whole = 1 };
	memcpy(packet + length, &end, sizeof(end));
	size_t taken = nt_reader_take(packet, length + sizeof(end), &record);
	assert_int_equal(taken, length);
	assert_int_equal(record.what, NT_READER_THREAD);
	assert_int_equal(record.thread.tid, 77);
	assert_ptr_equal(record.frames, packet + sizeof(struct nt_reader_thread));
	assert_int_equal(nt_reader_take(packet + taken, sizeof(end), &record), sizeof(end));
	assert_int_equal(record.what, NT_READER_END);
}

static void a_record_that_lies_is_none(void **state)
{
	(void)state;
	struct nt_reader_record record;
	assert_int_equal(nt_reader_take(packet, put_thread(NT_READER_WHOLE, 3, 2), &record), 0);
	assert_int_equal(nt_reader_take(packet, put_thread(NT_READER_WHOLE, UINT32_MAX, 3), &record), 0);
	assert_int_equal(nt_reader_take(packet, put_thread(NT_READER_HOW_COUNT, 0, 0), &record), 0);
	assert_int_equal(nt_reader_take(packet, put_thread(NT_READER_WHOLE, 0, 0) - 1, &record), 0);
	struct nt_reader_state state_record = { .what = NT_READER_STATE, .threads = 2 };
	memcpy(packet, &state_record, sizeof(state_record));
	assert_int_equal(nt_reader_take(packet, sizeof(state_record), &record), 0);
	state_record.threads = 1;
	memset(state_record.reason, 'x', sizeof(state_record.reason));
	memcpy(packet, &state_record, sizeof(state_record));
	assert_int_equal(nt_reader_take(packet, sizeof(state_record), &record), sizeof(state_record));
	assert_int_equal(strlen(record.state.reason), NT_READER_REASON - 1);
	packet[0] = NT_READER_OPEN;
	assert_int_equal(nt_reader_take(packet, sizeof(packet), &record), 0);
	assert_int_equal(nt_reader_take(packet, 3, &record), 0);
}

static void a_rule_that_lies_is_none(void **state)
{
	(void)state;
	struct nt_reader_record record;
	const struct nt_reader_ruled good = { .what = NT_READER_RULED,
					      .known = 1,
					      .address = 0x1010,
					      .start = 0x1000,
					      .end = 0x1020,
					      .cfa_reg = NT_REG_SP,
					      .cfa_offset = 8 };
	struct nt_reader_ruled said[8];
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		said[i] = good;
	said[1].known = 2;
	said[2].cfa_reg = NT_REG_COUNT;
	said[3].cfa_is_word_there = 2;
	said[4].address = 0x1020;
	said[5].start = 0x1021;
	said[6].end = UINT64_MAX;
	said[7].start = said[7].end = 0; /* known, and nowhere */
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		memcpy(packet, &said[i], sizeof(said[i]));
		assert_int_equal(nt_reader_take(packet, sizeof(said[i]), &record), i ? 0 : sizeof(said[i]));
	}
	said[7].known = 0;
	memcpy(packet, &said[7], sizeof(said[7]));
	assert_int_equal(nt_reader_take(packet, sizeof(said[7]), &record), sizeof(said[7]));
	assert_int_equal(nt_reader_take(packet, sizeof(said[7]) - 1, &record), 0);
}

static struct nt_wait_fact fact_of(const char *text, int *fd, bool *good)
{
	struct nt_wait_fact fact;
	*good = nt_wait_fact_parse(text, strlen(text), &fact, fd);
	return fact;
}

static void system_calls_say_what_is_waited_for(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum nt_wait_kind wait;
		int fd;
		uint64_t sp, pc;
	} cases[] = {
		{ "running\n", NT_WAIT_RUNS, -1, 0, 0 },
		{ "-1 0x7ffd12345678 0x7f00aabbccdd\n", NT_WAIT_FAULT, -1, 0x7ffd12345678, 0x7f00aabbccdd },
#if defined(__x86_64__)
		{ "0 0x11 0x7ffd1 0x1000 0x0 0x0 0x0 0x7ffd2 0x7f1\n", NT_WAIT_FILE, 17, 0x7ffd2, 0x7f1 },
		{ "45 0x2a 0x0 0x0 0x0 0x0 0x0 0x1 0x2\n", NT_WAIT_SOCKET, 42, 1, 2 },
		{ "230 0x1 0x0 0x7ff 0x0 0x0 0x0 0x1 0x2\n", NT_WAIT_SLEEP, -1, 1, 2 },
		{ "202 0x7f00 0x189 0x0 0x0 0x0 0xffffffff 0x1 0x2\n", NT_WAIT_UNKNOWN, -1, 1, 2 },
		{ "0 0xffffffffffffffff 0x0\n", NT_WAIT_FILE, -1, 0, 0 },
#endif
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd;
		bool good;
		struct nt_wait_fact fact = fact_of(cases[i].text, &fd, &good);
		assert_true(good);
		assert_int_equal(fact.wait, cases[i].wait);
		assert_int_equal(fd, cases[i].fd);
		assert_int_equal(fact.sp, cases[i].sp);
		assert_int_equal(fact.pc, cases[i].pc);
	}
	int fd;
	bool good;
	fact_of("nonsense", &fd, &good);
	assert_false(good);
}

/* ---- from one look to the next ---- */

struct looks {
	struct fake_proc proc;
	struct nt_looked_threads threads;
	struct nt_outbox box;
	char *dir;
	nt_time now;
};

static void begin(struct looks *looks)
{
	*looks = (struct looks){ .now = NT_NS_PER_S };
	fake_proc_init(&looks->proc);
	nt_outbox_init(&looks->box, NT_SOURCE_RUNTIME);
	fake_proc_text(&looks->proc, 77, "task/77/schedstat", "1000 0 5\n");
	fake_proc_text(&looks->proc, 77, "task/77/syscall", "202 0x7f00 0x189 0x0 0x0 0x0 0xffffffff 0x1 0x2\n");
	looks->dir = nt_format("%s/77", looks->proc.root);
}

static void end(struct looks *looks)
{
	nt_looked_threads_fini(&looks->threads);
	nt_outbox_fini(&looks->box);
	fake_proc_fini(&looks->proc);
	free(looks->dir);
}

/* A look at the one thread. `how`: what the reader says of it, if it is asked; NT_READER_HOW_COUNT = nothing. Returns what is told. */
static const struct nt_ev_stack *look(struct looks *looks, bool *asked, uint32_t how, uint64_t object, uint32_t owner)
{
	const struct nt_look_told told = { .pid = 77, .box = &looks->box };
	struct nt_reader_record saw = { .thread = { .tid = 77, .managed_id = 1, .how = how, .object = object } };
	uint32_t tid;
	looks->now += NT_NS_PER_S;
	*asked = nt_looked_threads_begin(&looks->threads, looks->dir, looks->now, &tid, 1) == 1;
	if (*asked && how != NT_READER_HOW_COUNT)
		nt_looked_threads_saw(&looks->threads, 77, owner, &saw);
	nt_looked_threads_end(&looks->threads, looks->dir, looks->now + 1, &told);
	return &looks->box.filling->events[looks->box.filling->event_count - 1].u.found;
}

/* It sleeps on, and others get the lock before it. */
static void who_has_a_lock_is_asked_again(void **state)
{
	(void)state;
	struct looks looks;
	bool asked;
	begin(&looks);
	assert_int_equal(look(&looks, &asked, NT_READER_WHOLE, 7, 80)->owner_tid, 80);
	assert_int_equal(look(&looks, &asked, NT_READER_WHOLE, 7, 81)->owner_tid, 81);
	assert_true(asked);
	assert_int_equal(look(&looks, &asked, NT_READER_WHOLE, 0, 0)->owner_tid, 0); /* nobody has it just now */
	assert_true(asked);
	const struct nt_ev_stack *found = look(&looks, &asked, NT_READER_WHOLE, 7, 82);
	assert_true(asked);
	assert_int_equal(found->owner_tid, 82);
	assert_int_equal(found->since, 2 * NT_NS_PER_S); /* one wait */
	end(&looks);
	begin(&looks);
	look(&looks, &asked, NT_READER_WHOLE, 0, 0);
	look(&looks, &asked, NT_READER_WHOLE, 0, 0);
	assert_false(asked); /* it waits for something else, and is where it was */
	end(&looks);
}

/* With CAP_SYS_PTRACE alone `syscall` cannot be opened: one that runs does not wait for that. */
static void who_runs_does_not_wait_though_nothing_more_is_known(void **state)
{
	(void)state;
	static const struct {
		char state;
		enum nt_wait_kind wait;
	} cases[] = { { 'R', NT_WAIT_RUNS }, { 'S', NT_WAIT_UNKNOWN }, { 'D', NT_WAIT_UNKNOWN } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct looks looks;
		bool asked;
		begin(&looks);
		fake_proc_text(&looks.proc, 77, "task/77/syscall", "");
		fake_proc_stat(&looks.proc, 77, "task/77/stat",
			       &(struct fake_stat){ .id = 77, .comm = "worker", .state = cases[i].state, .threads = 1 });
		assert_int_equal(look(&looks, &asked, NT_READER_HOW_COUNT, 0, 0)->wait, cases[i].wait);
		end(&looks);
	}
}

/* The reader may have had too much to read, or read while something changed. */
static void who_was_not_found_is_asked_again(void **state)
{
	(void)state;
	static const uint32_t nothing[] = { NT_READER_RUNS, NT_READER_HOW_COUNT };
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		struct looks looks;
		bool asked;
		begin(&looks);
		look(&looks, &asked, nothing[i], 0, 0);
		assert_true(look(&looks, &asked, nothing[i], 0, 0)->partial);
		assert_true(asked);
		assert_false(look(&looks, &asked, NT_READER_WHOLE, 0, 0)->partial);
		assert_true(asked);
		look(&looks, &asked, NT_READER_WHOLE, 0, 0);
		assert_false(asked);
		end(&looks);
		begin(&looks);
		for (unsigned k = 0; k < 20; k++)
			look(&looks, &asked, nothing[i], 0, 0);
		assert_false(asked); /* not for ever: most threads that nobody finds are no managed ones */
		end(&looks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_taken_one_by_one),     cmocka_unit_test(a_record_that_lies_is_none),
		cmocka_unit_test(a_rule_that_lies_is_none),         cmocka_unit_test(system_calls_say_what_is_waited_for),
		cmocka_unit_test(who_has_a_lock_is_asked_again),    cmocka_unit_test(who_runs_does_not_wait_though_nothing_more_is_known),
		cmocka_unit_test(who_was_not_found_is_asked_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
