// SPDX-License-Identifier: GPL-2.0-only
/* Questions for what stubs are: this test program is the target, with stubs in a page of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

#include <sys/mman.h>

enum { PAGE = 1 << 14, EACH = 24 };

static const uint8_t fixup[EACH] = { 0xff, 0x25, 0xfa, 0x3f, 0,    0, 0x4c, 0x8b, 0x15, 0xfb, 0x3f, 0,
				     0,    0xff, 0x25, 0xfd, 0x3f, 0, 0,    0x90, 0x66, 0x2e, 0x0f, 0x1f };

struct world {
	struct fixture *f;
	uint8_t *pages; /* two of them, aligned, between what is not mapped; the first one is full of stubs */
	void *mapping;
};

static struct world begin(void)
{
	struct world w = { .f = fixture_new() };
	free(w.f->target.proc_dir);
	w.f->target.proc_dir = nt_strdup("/proc/self");
	w.mapping = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(w.mapping != MAP_FAILED);
	w.pages = (uint8_t *)(((uintptr_t)w.mapping + PAGE) & ~(uintptr_t)(PAGE - 1));
	assert_int_equal(mprotect(w.pages, 2 * PAGE, PROT_READ | PROT_WRITE), 0);
	for (size_t i = 0; i + EACH <= PAGE; i += EACH)
		memcpy(w.pages + i, fixup, EACH);
	fixture_start(w.f);
	return w;
}

static void end(struct world *w)
{
	fixture_free(w->f);
	munmap(w->mapping, 4 * PAGE);
}

static bool has_names(const struct fixture *f, size_t from, const void *count)
{
	return fixture_count(f, from, NT_EV_NAME) >= *(const size_t *)count;
}

/* Ask for `count` places; returns where their answers begin, when there are `answers`. */
static size_t ask(struct world *w, const uint8_t *const places[], size_t count, size_t answers)
{
	struct nt_question questions[4];
	for (size_t i = 0; i < count; i++)
		questions[i] = (struct nt_question){ .pid = FIXTURE_PID,
						     .offset = (uintptr_t)places[i],
						     .map_start = (uintptr_t)w->pages,
						     .map_end = (uintptr_t)w->pages + (uintptr_t)2 * PAGE,
						     .image = NT_STUB_IMAGE };
	size_t seen = w->f->seen_count;
	assert_int_equal(nt_source_codemap.ask(w->f->source, questions, count), count);
	fixture_wait(w->f, seen, has_names, &answers);
	return seen;
}

static void test_one_answer_for_a_page(void **state)
{
	(void)state;
	struct world w = begin();
	const uint8_t *const places[] = { w.pages + 700, w.pages + 3, w.pages + PAGE + 8 };
	size_t first = ask(&w, places, 3, 2);
	const struct seen *stubs = NULL, *nothing = NULL;
	for (size_t i = first; i < w.f->seen_count; i++) {
		const struct seen *seen = &w.f->seen[i];
		if (seen->event.kind == NT_EV_NAME)
			*(seen->event.u.name.start == (uintptr_t)w.pages ? &stubs : &nothing) = seen;
	}
	assert_non_null(stubs);
	assert_non_null(nothing);
	assert_int_equal(fixture_count(w.f, first, NT_EV_NAME), 2);
	assert_string_equal(stubs->text[0], NT_STUB_IMAGE);
	assert_string_equal(stubs->text[1], "[stub FixupPrecode]");
	assert_int_equal(stubs->event.u.name.kind, NT_CODE_STUB);
	assert_int_equal(stubs->event.u.name.naming, NT_NAMING_STUB);
	assert_int_equal(stubs->event.u.name.end - stubs->event.u.name.start, PAGE / EACH * EACH);
	assert_string_equal(nothing->text[1], "");
	assert_int_equal(nothing->event.u.name.naming, NT_NAMING_NO_LINE);
	assert_int_equal(nothing->event.u.name.start, (uintptr_t)w.pages + PAGE + 8);
	assert_int_equal(nothing->event.u.name.end - nothing->event.u.name.start, 1);
	end(&w);
}

static void test_a_stub_across_two_pages(void **state)
{
	(void)state;
	struct world w = begin();
	memset(w.pages, 0, PAGE);
	memcpy(w.pages + PAGE - 8, fixup, EACH);
	const uint8_t *const places[] = { w.pages + PAGE - 1, w.pages + PAGE + 15 };
	size_t first = ask(&w, places, 1, 1);
	assert_string_equal(fixture_last(w.f, first, NT_EV_NAME)->text[1], "[stub FixupPrecode]");
	first = ask(&w, places + 1, 1, 1);
	assert_string_equal(fixture_last(w.f, first, NT_EV_NAME)->text[1], "[stub FixupPrecode]");
	end(&w);
}

static void test_memory_that_is_gone(void **state)
{
	(void)state;
	struct world w = begin();
	assert_int_equal(mprotect(w.pages, 2 * PAGE, PROT_NONE), 0);
	munmap(w.pages, PAGE);
	const uint8_t *const places[] = { w.pages + 700, w.pages - 1 };
	size_t first = ask(&w, places, 2, 2);
	for (size_t i = first; i < w.f->seen_count; i++)
		if (w.f->seen[i].event.kind == NT_EV_NAME) {
			assert_string_equal(w.f->seen[i].text[1], "");
			assert_string_equal(w.f->seen[i].text[2], "its code is not in the target's memory any more");
		}
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_answer_for_a_page),
		cmocka_unit_test(test_a_stub_across_two_pages),
		cmocka_unit_test(test_memory_that_is_gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
