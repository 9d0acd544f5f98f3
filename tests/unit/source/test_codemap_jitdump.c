// SPDX-License-Identifier: GPL-2.0-only
/* A target that writes a jitdump and no perf map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"
#include "tests/unit/jitdump_file.h"

#define NAME_ADD  "void [Shop.Web] Shop.Cart::Add(int32)[QuickJitted]"
#define NAME_LATE "void [Shop.Web] Shop.Cart::Total()[OptimizedTier1]"

static struct fixture *fixture_with_jitdump(void)
{
	struct fixture *f = fixture_new();
	snprintf(f->map_path, sizeof(f->map_path), "%s/root/tmp/jit-7.dump", f->dir);
	f->target.jitdump_only = true;
	return f;
}

/* Append what was written by hand, and empty it. */
static void append(const struct fixture *f, struct jitdump_file *file)
{
	int fd = open(f->map_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file->bytes, file->length), file->length);
	close(fd);
	file->length = 0;
}

static const struct seen *code_named(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->seen_count; i++)
		if (f->seen[i].event.kind == NT_EV_CODE && strcmp(f->seen[i].text[0], name) == 0)
			return &f->seen[i];
	return NULL;
}

static bool has_code(const struct fixture *f, size_t from, const void *what)
{
	(void)from;
	return code_named(f, what);
}

static bool has_state(const struct fixture *f, size_t from, const void *what)
{
	const struct seen *seen = fixture_last(f, from, NT_EV_SOURCE_STATE);
	return seen && seen->event.u.source_state.state == *(const enum nt_source_state *)what;
}

static const struct seen *wait_state(struct fixture *f, enum nt_source_state state)
{
	fixture_wait(f, 0, has_state, &state);
	return fixture_last(f, 0, NT_EV_SOURCE_STATE);
}

/* What was there before us holds since ever, what comes later from the time that its record says. */
static void test_loads_hold_from_their_time(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	jitdump_load(&file, NAME_ADD, 0x7f0000100000, 64, nt_clock_now());
	append(f, &file);
	fixture_start(f);
	wait_state(f, NT_STATE_DELIVERING);
	const struct seen *add = code_named(f, NAME_ADD);
	assert_non_null(add);
	assert_int_equal(add->line.start, 0x7f0000100000);
	assert_int_equal(add->line.size, 64);
	assert_int_equal(add->event.u.code.from, 0);
	nt_time later = nt_clock_now();
	jitdump_load(&file, NAME_LATE, 0x7f0000100000, 32, later);
	append(f, &file);
	fixture_wait(f, 0, has_code, NAME_LATE);
	assert_int_equal(code_named(f, NAME_LATE)->event.u.code.from, later);
	fixture_free(f);
}

static void test_a_time_to_come_is_none(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	jitdump_load(&file, NAME_ADD, 0x7f0000100000, 64, NT_TIME_UNKNOWN - 1);
	append(f, &file);
	fixture_start(f);
	fixture_wait(f, 0, has_code, NAME_ADD);
	assert_int_equal(code_named(f, NAME_ADD)->event.u.code.from, 0);
	fixture_free(f);
}

/* As the writer of .NET 10.0.12 ends, at a block of stubs whose memory it cannot read. */
static void test_a_writer_that_stopped_within_a_record(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	jitdump_load(&file, NAME_ADD, 0x7f0000100000, 64, 1);
	file.length -= 20;
	append(f, &file);
	fixture_start(f);
	const struct seen *said = wait_state(f, NT_STATE_STALLED);
	assert_non_null(strstr(said->text[0], "ends within a record"));
	assert_non_null(strstr(said->text[1], "DOTNET_PerfMapEnabled=3"));
	assert_non_null(code_named(f, NAME_ADD));
	fixture_free(f);
}

static void test_no_jitdump(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	fixture_start(f);
	const struct seen *said = wait_state(f, NT_STATE_ABSENT);
	assert_string_equal(said->text[0], "no jitdump at /tmp/jit-7.dump, though the target has it switched on");
	assert_non_null(strstr(said->text[1], "DOTNET_PerfMapEnabled=3"));
	fixture_free(f);
}

static void test_not_a_jitdump(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	fixture_write(f->map_path, 0, "0x7f0000100000 40 void [Shop.Web] Shop.Cart::Add(int32)[QuickJitted]\n");
	fixture_start(f);
	assert_non_null(strstr(wait_state(f, NT_STATE_DELIVERING)->text[0], "has no record of loaded code"));
	fixture_free(f);
}

static bool has_last_place(const struct fixture *f, size_t from, const void *what)
{
	for (size_t i = from; i < f->seen_count; i++)
		if (f->seen[i].event.kind == NT_EV_CODE && f->seen[i].line.start == *(const uint64_t *)what)
			return true;
	return false;
}

static bool has_name(const struct fixture *f, size_t from, const void *what)
{
	(void)what;
	return fixture_last(f, from, NT_EV_NAME);
}

/* Beyond the first megabytes of names: the record is read again when somebody asks. */
static void test_names_that_stay_in_the_file(void **state)
{
	enum { LOADS = 7000, NAME = 700 };
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	struct jitdump_file file = { 0 };
	char name[NAME + 1];
	uint64_t start = 0x7f0000100000;
	jitdump_begin(&file);
	for (unsigned i = 0; i < LOADS; i++, start += 16) {
		snprintf(name, sizeof(name), "void [a] B::%0*u()[Optimized]", NAME - 26, i);
		jitdump_load(&file, name, start, 16, 1);
		if (file.length > sizeof(file.bytes) / 2)
			append(f, &file);
	}
	append(f, &file);
	start -= 16;
	fixture_start(f);
	fixture_wait(f, 0, has_last_place, &start);
	const struct seen *place = &f->seen[f->seen_count - 1];
	while (place->event.kind != NT_EV_CODE || place->line.start != start)
		place--;
	assert_true(place->event.u.code.map > 0);
	const struct nt_question question = { .pid = FIXTURE_PID,
					      .inode = place->event.u.code.map,
					      .offset = place->line.offset,
					      .map_start = start + 3,
					      .map_end = start + 4,
					      .image = NT_MAP_IMAGE };
	assert_int_equal(nt_source_codemap.ask(f->source, &question, 1), 1);
	fixture_wait(f, 0, has_name, NULL);
	assert_string_equal(fixture_last(f, 0, NT_EV_NAME)->text[1], name);
	fixture_free(f);
}

/* ---- code ---- */

/* One load whose code is `size` bytes of one value: x86's int3, nop and ret are one each. */
static void put_code(struct jitdump_file *file, const char *name, uint64_t start, uint32_t size, uint64_t time, int byte)
{
	jitdump_load(file, name, start, size, time);
	memset(file->bytes + file->length - size, byte, size);
}

static bool has_answer(const struct fixture *f, size_t from, const void *what)
{
	(void)what;
	return fixture_count(f, from, NT_EV_ASSEMBLY) > 0;
}

/* What is at [start, end) as it ran at a time; checks that it is all `count` times one instruction. */
static void assert_code(struct fixture *f, uint64_t start, uint64_t end, nt_time time, unsigned count, const char *text)
{
	const struct nt_question question = {
		.pid = FIXTURE_PID, .map_start = start, .map_end = end, .time = time, .image = NT_CODE_IMAGE
	};
	size_t seen = f->seen_count;
	assert_int_equal(nt_source_codemap.ask(f->source, &question, 1), 1);
	fixture_wait(f, seen, has_answer, NULL);
	const struct seen *answer = fixture_last(f, seen, NT_EV_ASSEMBLY);
	assert_int_equal(answer->event.u.assembly.start, start);
	assert_int_equal(answer->event.u.assembly.count, count);
	assert_string_equal(count ? answer->text[1] : answer->text[0], text);
}

static const char gone[] = "its code is not in the target's memory any more";

/* The fixture's target has no memory. */
static void test_code_of_a_target_that_ended(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	put_code(&file, NAME_ADD, 0x7f0000100000, 64, 100, 0xcc);
	jitdump_record(&file, 2, 33);
	put_code(&file, NAME_LATE, 0x7f0000100000, 32, 200, 0x90);
	put_code(&file, "void [a] A::Other()[Optimized]", 0x7f0000100040, 64, 300, 0xc3);
	append(f, &file);
	fixture_start(f);
	wait_state(f, NT_STATE_DELIVERING);
	assert_code(f, 0x7f0000100000, 0x7f0000100040, 150, 64, "int3");
	assert_code(f, 0x7f0000100010, 0x7f0000100020, 150, 16, "int3");
	assert_code(f, 0x7f0000100000, 0x7f0000100020, 200, 32, "nop");
	assert_code(f, 0x7f0000100000, 0x7f0000100020, 0, 32, "nop");
	assert_code(f, 0x7f0000100000, 0x7f0000100040, 250, 0, gone);   /* then it was shorter */
	assert_code(f, 0x7f0000100040, 0x7f0000100080, 250, 64, "ret"); /* its record is late */
	assert_code(f, 0x7f0000100020, 0x7f0000100060, 400, 0, gone);   /* half of one, half of another */
	assert_code(f, 0x1000, 0x2000, 400, 0, gone);
	fixture_free(f);
}

static void test_code_that_is_not_all_there(void **state)
{
	(void)state;
	struct fixture *f = fixture_with_jitdump();
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	put_code(&file, NAME_ADD, 0x7f0000100000, 64, 100, 0xcc);
	file.length--;
	append(f, &file);
	fixture_start(f);
	fixture_wait(f, 0, has_code, NAME_ADD);
	assert_code(f, 0x7f0000100000, 0x7f0000100040, 150, 0, gone);
	assert_code(f, 0x7f0000100000, 0x7f000010003f, 150, 63, "int3");
	/* Another file is there by now, of which nothing was read. */
	fixture_write(f->map_path, O_TRUNC,
		      "0x7f0000100000 40 void [Shop.Web] Shop.Cart::Add(int32)[QuickJitted] and more, so that it is long");
	assert_code(f, 0x7f0000100000, 0x7f000010003f, 150, 0, gone);
	fixture_free(f);
}

/* This program's memory, whose code is what the last record says, patched. */
static void test_code_that_was_replaced(void **state)
{
	static uint8_t memory[16];
	(void)state;
	uint64_t start = (uintptr_t)memory;
	struct fixture *f = fixture_with_jitdump();
	free(f->target.proc_dir);
	f->target.proc_dir = nt_strdup("/proc/self");
	memset(memory, 0xc3, sizeof(memory));
	struct jitdump_file file = { 0 };
	jitdump_begin(&file);
	put_code(&file, NAME_ADD, start, sizeof(memory), 100, 0xcc);
	put_code(&file, NAME_LATE, start, sizeof(memory), 200, 0x90);
	append(f, &file);
	fixture_start(f);
	fixture_wait(f, 0, has_code, NAME_LATE);
	assert_code(f, start, start + sizeof(memory), 150, 16, "int3");
	assert_code(f, start, start + sizeof(memory), 250, 16, "ret");
	/* Of which the file has not all any more: then from where it is. */
	assert_int_equal(truncate(f->map_path, 40 + 56 + sizeof(NAME_ADD) + 8), 0);
	assert_code(f, start, start + sizeof(memory), 150, 16, "ret");
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loads_hold_from_their_time),
		cmocka_unit_test(test_a_time_to_come_is_none),
		cmocka_unit_test(test_a_writer_that_stopped_within_a_record),
		cmocka_unit_test(test_no_jitdump),
		cmocka_unit_test(test_not_a_jitdump),
		cmocka_unit_test(test_names_that_stay_in_the_file),
#if defined(__x86_64__)
		cmocka_unit_test(test_code_of_a_target_that_ended),
		cmocka_unit_test(test_code_that_is_not_all_there),
		cmocka_unit_test(test_code_that_was_replaced),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
