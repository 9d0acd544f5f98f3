// SPDX-License-Identifier: GPL-2.0-only
/* Lines beyond the first megabytes of a perf map: their names stay in the file until they are asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

#include "source/codemap/codemap_lines.h"
#include "source/codemap/codemap_perfmap.h"

enum { FILLER_BYTES = 4000, FILLERS = NT_CODEMAP_NAME_BYTES / FILLER_BYTES + 1, LATE = 4 };
#define LATE_START UINT64_C(0x7f0000200000)

/* The late lines' names: one as usual, a stub, one of several kilobytes, one that follows a damaged line (.NET 10). */
static const char *const late_prefix[LATE] = { "", "", "", "\xff\xfe void [A] T::M\xc3\xa4" };
static char *late_names[LATE];

static char *long_name(char fill)
{
	static const char tail[] = "()[QuickJitted]";
	char *name = nt_alloc(FILLER_BYTES + 1);
	memset(name, fill, FILLER_BYTES);
	memcpy(name, "void [A] T::", 12);
	memcpy(name + FILLER_BYTES - sizeof(tail) + 1, tail, sizeof(tail));
	return name;
}

static int make_names(void **state)
{
	(void)state;
	late_names[0] = nt_strdup("void [Shop.Web] Shop.Cart::Total()[OptimizedTier1]");
	late_names[1] = nt_strdup("stub<7> Jump<ResolveStub>");
	late_names[2] = long_name('x');
	late_names[3] = nt_strdup("void [Shop.Web] Shop.Cart::Add(int32)[QuickJitted]");
	return 0;
}

static int free_names(void **state)
{
	(void)state;
	for (int i = 0; i < LATE; i++)
		free(late_names[i]);
	return 0;
}

static void write_map(const struct fixture *f)
{
	FILE *file = fopen(f->map_path, "w");
	assert_non_null(file);
	char *filler = long_name('f');
	for (unsigned i = 0; i < FILLERS; i++)
		fprintf(file, "0x%x 40 %s\n", 0x10000 + i * 0x40, filler);
	for (unsigned i = 0; i < LATE; i++)
		fprintf(file, "%s0x%llx 40 %s\n", late_prefix[i], (unsigned long long)LATE_START + i * 0x40, late_names[i]);
	fclose(file);
	free(filler);
}

static bool has_lines(const struct fixture *f, size_t from, const void *what)
{
	return fixture_count(f, from, NT_EV_CODE) >= *(const size_t *)what;
}

static bool has_names(const struct fixture *f, size_t from, const void *what)
{
	return fixture_count(f, from, NT_EV_NAME) >= *(const size_t *)what;
}

static struct fixture *watch_large_map(void)
{
	struct fixture *f = fixture_new();
	write_map(f);
	fixture_start(f);
	const size_t all = FILLERS + LATE;
	fixture_wait(f, 0, has_lines, &all);
	return f;
}

static const struct seen *late_line(const struct fixture *f, unsigned index)
{
	for (size_t i = 0; i < f->seen_count; i++)
		if (f->seen[i].event.kind == NT_EV_CODE && f->seen[i].line.start == LATE_START + index * 0x40)
			return &f->seen[i];
	fail_msg("late line %u did not come", index);
	return NULL;
}

static struct nt_question question_for(const struct fixture *f, unsigned index)
{
	const struct seen *seen = late_line(f, index);
	return (struct nt_question){ .pid = FIXTURE_PID,
				     .inode = seen->event.u.code.map,
				     .offset = seen->line.offset,
				     .map_start = seen->line.start + 3,
				     .map_end = seen->line.start + 4,
				     .image = NT_MAP_IMAGE };
}

static const struct seen *answer_to(struct fixture *f, const struct nt_question *question)
{
	size_t seen = f->seen_count;
	const size_t one = 1;
	assert_int_equal(nt_source_codemap.ask(f->source, question, 1), 1);
	fixture_wait(f, seen, has_names, &one);
	const struct seen *answer = fixture_last(f, seen, NT_EV_NAME);
	assert_string_equal(answer->text[0], NT_MAP_IMAGE);
	assert_int_equal(answer->event.u.name.inode, question->inode);
	assert_int_equal(answer->event.u.name.start, question->offset);
	assert_int_equal(answer->event.u.name.end, question->offset + 1);
	return answer;
}

static void test_names_on_demand(void **state)
{
	(void)state;
	struct fixture *f = watch_large_map();
	struct nt_question questions[LATE];
	for (unsigned i = 0; i < LATE; i++) {
		const struct seen *line = late_line(f, i);
		assert_int_not_equal(line->event.u.code.map, 0);
		assert_int_equal(line->line.kind, i == 1 ? NT_CODE_STUB : NT_CODE_JIT);
		questions[i] = question_for(f, i);
	}
	size_t first = 0;
	while (f->seen[first].event.kind != NT_EV_CODE)
		first++;
	assert_int_equal(f->seen[first].event.u.code.map, 0); /* the first ones bring their names */
	assert_int_equal(strlen(f->seen[first].text[0]), FILLER_BYTES);
	size_t seen = f->seen_count;
	const size_t all = LATE;
	assert_int_equal(nt_source_codemap.ask(f->source, questions, LATE), LATE);
	fixture_wait(f, seen, has_names, &all);
	for (size_t i = seen; i < f->seen_count; i++)
		for (unsigned q = 0; q < LATE; q++)
			if (f->seen[i].event.kind == NT_EV_NAME && f->seen[i].event.u.name.start == questions[q].offset)
				assert_string_equal(f->seen[i].text[1], late_names[q]);
	fixture_free(f);
}

/* The line there is of other code, or there is no line, or it is a line of another file. */
static void test_questions_that_do_not_fit(void **state)
{
	(void)state;
	struct fixture *f = watch_large_map();
	struct nt_question question = question_for(f, 0);
	struct nt_question other_code = question, other_place = question, other_file = question, far_out = question;
	other_code.map_start += 0x40;
	other_place.offset += 5;
	other_file.inode++;
	far_out.offset = UINT64_MAX - 5;
	const struct nt_question *bad[] = { &other_code, &other_place, &other_file, &far_out };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct seen *answer = answer_to(f, bad[i]);
		assert_string_equal(answer->text[1], "");
		assert_string_equal(answer->text[2], "the perf map was truncated or replaced before this name was read");
	}
	assert_string_equal(answer_to(f, &question)->text[1], late_names[0]);
	fixture_free(f);
}

static void test_truncated_before_it_was_asked(void **state)
{
	(void)state;
	struct fixture *f = watch_large_map();
	struct nt_question question = question_for(f, 0);
	fixture_write(f->map_path, O_TRUNC, "0x7f0000200000 40 void [A] Other::Method()[QuickJitted]\n");
	assert_string_equal(answer_to(f, &question)->text[1], ""); /* whether the truncation was noticed or not */
	fixture_free(f);
}

static bool has_state(const struct fixture *f, size_t from, const void *what)
{
	(void)what;
	return fixture_count(f, from, NT_EV_SOURCE_STATE) > 1; /* it starts; there is no map */
}

static void test_map_that_comes_later(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_start(f);
	fixture_wait(f, 0, has_state, NULL);
	write_map(f);
	const size_t all = FILLERS + LATE;
	fixture_wait(f, 0, has_lines, &all);
	struct nt_question question = question_for(f, 0);
	assert_string_equal(answer_to(f, &question)->text[1], late_names[0]);
	fixture_free(f);
}

/* ---- what is taken from a text ---- */

enum { SHORT_LINES = NT_CODEMAP_PLACES_MAX * 2, FIRST_OFFSET = 1000, NAMED = 4 };

static const char *short_name(unsigned i)
{
	return i % 4 == 3 ? "stub<1> Jump<S>" : "void [A] T::M()";
}

/* The places of one kind are those of the lines from `*next` on that have this name. */
static void check_places(const struct nt_question_places *places, const char *text, const char *name, unsigned *next)
{
	for (size_t i = 0; i < places->count; i++, ++*next) {
		while (strcmp(short_name(*next), name) != 0)
			++*next;
		assert_true(places->items[i].start == 0x100000 + *next * 16 && places->items[i].size == 16);
		assert_memory_equal(text + places->items[i].offset - FIRST_OFFSET, name, strlen(name));
	}
}

/* The first lines with their names, then places of two kinds; more than there is room for at a time, and none is lost. */
static void test_names_then_places(void **state)
{
	(void)state;
	static struct nt_codemap_lines lines;
	static char text[SHORT_LINES * 32];
	size_t length = 0, used = 0;
	for (unsigned i = 0; i < SHORT_LINES; i++)
		length += (size_t)sprintf(text + length, "%x 10 %s\n", 0x100000 + i * 16, short_name(i));
	lines.name_bytes = NAMED * strlen(short_name(0)) - 1;
	unsigned rounds = 0, methods = NAMED, stubs = NAMED;
	for (bool full = true; full; rounds++) {
		nt_codemap_lines_clear(&lines);
		used += nt_codemap_lines_add(&lines, text + used, length - used, FIRST_OFFSET + used);
		full = nt_codemap_lines_full(&lines);
		assert_int_equal(lines.named_count, rounds ? 0 : NAMED);
		for (unsigned i = 0; i < lines.named_count; i++)
			assert_memory_equal(text + lines.named[i].offset, short_name(i), lines.named[i].length);
		check_places(&lines.methods, text, short_name(0), &methods);
		check_places(&lines.stubs, text, short_name(3), &stubs);
	}
	assert_true(rounds > 1);
	assert_int_equal(used, length);
	assert_int_equal(methods, SHORT_LINES - 1); /* the last one is a stub */
	assert_int_equal(stubs, SHORT_LINES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_on_demand),
		cmocka_unit_test(test_questions_that_do_not_fit),
		cmocka_unit_test(test_truncated_before_it_was_asked),
		cmocka_unit_test(test_map_that_comes_later),
		cmocka_unit_test(test_names_then_places),
	};
	return cmocka_run_group_tests(tests, make_names, free_names);
}
