// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules from real images, and chains mended by them: this process looks at its own stack, in a function that libc calls from deep within, and in a signal handler there. What must come out is
 * told by libc's own backtrace(), which follows the same information with another program's code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/unwind/stack_walk.h"
#include "nettop/clock.h"
#include "source/decoder/decoder_process.h"
#include "source/unwind/chain_mender.h"
#include "source/unwind/frame_lookup.h"
#include "target/process/target.h"

#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__

enum { DUMP_BYTES = 16 << 10, FRAMES_MAX = 64, TEXTS = 64 };

static struct {
	struct nt_stack_sample sample;
	uint8_t stack[DUMP_BYTES];
	void *expected[FRAMES_MAX];
	int expected_count;
	bool in_signal, done;
	uint64_t stack_end;
	struct nt_stack_walk walk; /* too large for the stack of which there is a copy */
} seen;

/* Other functions' variables, which are nobody else's business. */
static __attribute__((noinline, no_sanitize("address"))) void copy_stack(uint64_t start)
{
	const volatile uint8_t *from = (const volatile uint8_t *)(uintptr_t)start;
	size_t size = seen.stack_end - start < DUMP_BYTES ? seen.stack_end - start : DUMP_BYTES;
	for (size_t i = 0; i < size; i++)
		seen.stack[i] = from[i];
	seen.sample.dump = (struct nt_stack_dump){ seen.stack, size, start };
}

/* Once, from wherever it is called. */
static __attribute__((noinline)) void look(void)
{
	ucontext_t context;
	if (seen.done)
		return;
	seen.done = true;
	getcontext(&context);
	const greg_t *regs = context.uc_mcontext.gregs;
	static const int numbers[NT_REG_COUNT] = { REG_RBX, REG_RBP, REG_RSP, REG_RIP, REG_R12, REG_R13, REG_R14, REG_R15 };
	for (unsigned i = 0; i < NT_REG_COUNT; i++)
		seen.sample.regs.value[i] = (uint64_t)regs[numbers[i]];
	seen.sample.regs.known = NT_REGS_ALL;
	copy_stack(seen.sample.regs.value[NT_REG_SP]);
	seen.expected_count = backtrace(seen.expected, FRAMES_MAX);
}

static void handle(int signal)
{
	(void)signal;
	look();
}

static int compare(const void *a, const void *b)
{
	if (seen.in_signal)
		raise(SIGUSR1);
	else
		look();
	return strcmp(a, b);
}

static struct nt_target *find_self(void)
{
	struct nt_target *target;
	struct nt_error err = { 0 };
	char pid[16];
	snprintf(pid, sizeof(pid), "%d", getpid());
	assert_int_equal(nt_target_find("/proc", pid, &target, &err), NT_OK);
	return target;
}

/* The walk over what was seen, with all the rules that it asks for. */
static const struct nt_stack_walk *walk_seen(void)
{
	struct nt_target *target = find_self();
	const struct nt_source_config config = { .proc_root = "/proc" };
	struct nt_frame_lookup *lookup = nt_frame_lookup_new(target, &config);
	struct nt_frame_rules rules = { 0 };
	struct nt_stack_walk *walk = &seen.walk;
	for (nt_stack_walk(&rules, &seen.sample, true, walk); walk->missing; nt_stack_walk(&rules, &seen.sample, true, walk)) {
		uint64_t start, end;
		struct nt_frame_rule rule;
		assert_int_equal(nt_frame_lookup_find(lookup, walk->missing, &start, &end, &rule), NT_OK);
		assert_true(start <= walk->missing && walk->missing < end);
		nt_frame_rules_add(&rules, walk->missing, start, end, &rule);
	}
	nt_frame_rules_fini(&rules);
	nt_frame_lookup_free(lookup);
	nt_target_free(target);
	return walk;
}

static void check_against_backtrace(void)
{
	char texts[TEXTS][8];
	for (unsigned i = 0; i < TEXTS; i++)
		snprintf(texts[i], sizeof(texts[i]), "%u", i * 7919 % TEXTS);
	seen.done = false;
	qsort(texts, TEXTS, sizeof(texts[0]), compare);
	assert_true(seen.done);
	const struct nt_stack_walk *walk = walk_seen();
	/* backtrace() was called from another place of look() and may show frames of its own (sanitizers come between); from look()'s caller on they agree. */
	const uint64_t *expected = (const uint64_t *)seen.expected;
	unsigned own = 0, count = (unsigned)seen.expected_count;
	while (own < count && expected[own] != walk->frames[1])
		own++;
	for (unsigned i = 0; i < walk->count || i < count; i++)
		print_message("%2u %#lx %#lx\n", i, i < walk->count ? walk->frames[i] : 0, i < count ? expected[i] : 0);
	/* It may also go on to where the process begins, which we leave out. */
	assert_in_range(walk->count - 1, count - own - 1, count - own);
	for (unsigned i = 1; i < walk->count; i++)
		assert_int_equal(walk->frames[i], expected[own + i - 1]);
}

static void test_out_of_libc(void **state)
{
	(void)state;
	seen.in_signal = false;
	check_against_backtrace();
}

static void test_out_of_a_signal_handler(void **state)
{
	(void)state;
	seen.in_signal = true;
	signal(SIGUSR1, handle);
	check_against_backtrace();
	signal(SIGUSR1, SIG_DFL);
}

/* The sample record that perf would have written of what was seen; the kernel's chain is the leaf alone. Returns its length. */
static size_t write_record(uint8_t *bytes)
{
	enum { DUMP = sizeof(seen.stack) };
	uint8_t *at = bytes + sizeof(struct perf_event_header);
	const uint64_t head[] = { seen.sample.regs.value[NT_REG_PC], 1, 1000, 0, 1001001, 2, (uint64_t)PERF_CONTEXT_USER,
				  seen.sample.regs.value[NT_REG_PC], 2 /* registers of 64 bits */ };
	const uint64_t size = DUMP, filled = seen.sample.dump.size;
	at = (uint8_t *)mempcpy(at, head, sizeof(head));
	at = (uint8_t *)mempcpy(at, seen.sample.regs.value, sizeof(seen.sample.regs.value));
	at = (uint8_t *)mempcpy(at, &size, sizeof(size));
	at = (uint8_t *)mempcpy(at, seen.stack, DUMP);
	at = (uint8_t *)mempcpy(at, &filled, sizeof(filled));
	const struct perf_event_header header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint16_t)(at - bytes) };
	memcpy(bytes, &header, sizeof(header));
	return header.size;
}

/* The user part of the record after it was mended. */
static unsigned mend(struct nt_chain_mender *mender, const uint8_t *bytes, size_t length, uint64_t frames[NT_WALK_MAX])
{
	uint8_t out[NT_PERF_REPLACED_MAX];
	struct nt_perf_record record, mended;
	assert_int_equal(nt_perf_record_parse(bytes, length, &record), NT_OK);
	size_t mended_length = nt_chain_mender_mend(mender, bytes, &record, out);
	assert_int_equal(nt_perf_record_parse(out, mended_length, &mended), NT_OK);
	unsigned kernel_count;
	return nt_perf_chain(&mended, frames, NT_WALK_MAX, &kernel_count);
}

/* A chain is the kernel's until the worker has learnt the rules, then the whole one; again after all of it was mapped anew. */
static void test_mender_learns(void **state)
{
	(void)state;
	const struct nt_stack_walk *walk = walk_seen();
	struct nt_target *target = find_self();
	const struct nt_source_config config = { .proc_root = "/proc" };
	struct nt_chain_mender *mender;
	assert_int_equal(nt_chain_mender_new(target, &config, true, &mender, NULL), NT_OK);
	static uint8_t bytes[DUMP_BYTES + 512];
	size_t length = write_record(bytes);
	for (unsigned round = 0; round < 2; round++) {
		uint64_t frames[NT_WALK_MAX];
		assert_int_equal(mend(mender, bytes, length, frames), 1);
		unsigned count = 1;
		for (nt_time deadline = nt_clock_now() + 30 * NT_NS_PER_S; count == 1 && nt_clock_now() < deadline; poll(NULL, 0, 5))
			count = mend(mender, bytes, length, frames);
		assert_int_equal(count, walk->count);
		assert_memory_equal(frames, walk->frames, count * sizeof(*frames));
		nt_chain_mender_mapped(mender, 0, UINT64_MAX);
	}
	nt_chain_mender_free(mender);
	nt_target_free(target);
}

/* What is not in the mappings is looked for in them once more, but not at once. */
static enum nt_status find_in_the_end(struct nt_frame_lookup *lookup, uint64_t address, struct nt_frame_rule *rule)
{
	uint64_t start, end;
	enum nt_status status = NT_AGAIN;
	for (nt_time deadline = nt_clock_now() + 30 * NT_NS_PER_S; status == NT_AGAIN && nt_clock_now() < deadline; poll(NULL, 0, 5))
		status = nt_frame_lookup_find(lookup, address, &start, &end, rule);
	return status;
}

static void test_places_with_and_without_code(void **state)
{
	(void)state;
	struct nt_target *target = find_self();
	const struct nt_source_config config = { .proc_root = "/proc" };
	struct nt_frame_lookup *lookup = nt_frame_lookup_new(target, &config);
	uint64_t code = (uint64_t)(uintptr_t)qsort;
	struct nt_frame_rule rule;
	assert_int_equal(find_in_the_end(lookup, code, &rule), NT_OK);
	assert_int_equal(rule.way, NT_FRAME_CFI);
	assert_int_equal(find_in_the_end(lookup, (uint64_t)(uintptr_t)&target, &rule), NT_OK);
	assert_int_equal(rule.way, NT_FRAME_NOWHERE);
	nt_frame_lookup_forget(lookup, code, code + 1);
	assert_int_equal(find_in_the_end(lookup, code, &rule), NT_OK);
	assert_int_equal(rule.way, NT_FRAME_CFI);
	nt_frame_lookup_cancel(lookup);
	nt_frame_lookup_forget(lookup, code, code + 1);
	assert_int_equal(find_in_the_end(lookup, code, &rule), NT_END);
	nt_frame_lookup_free(lookup);
	nt_target_free(target);
}

int main(int argc, char **argv, char **environment)
{
	if (nt_decoder_is_meant(argc, argv))
		return nt_decoder_serve(argv[1]);
	seen.stack_end = (uint64_t)(uintptr_t)environment; /* above all frames */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_out_of_libc),
		cmocka_unit_test(test_out_of_a_signal_handler),
		cmocka_unit_test(test_mender_learns),
		cmocka_unit_test(test_places_with_and_without_code),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	return 0; /* stacks of this machine are not read */
}

#endif
