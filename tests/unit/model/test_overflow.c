// SPDX-License-Identifier: GPL-2.0-only
/* A stack that was full: what is said of it, by its frames' names. Letters are methods, capitals the runtime's own code. */
#include "model/process/overflow.h"

#include "build.h"

#include <ctype.h>

enum { MOST = 64 };

static const char *const names[128] = {
	['a'] = "A.a()", ['b'] = "A.b()", ['c'] = "A.c()", ['d'] = "A.d()", ['e'] = "A.e()", ['m'] = "A.Main()"
};

static struct nt_target_end told_of(const char *letters, uint32_t frames, struct nt_arena *arena)
{
	struct nt_call_frame of[MOST];
	uint32_t count = 0;
	for (; letters[count]; count++)
		of[count] = (struct nt_call_frame){ .name = islower((unsigned char)letters[count]) ? names[(int)letters[count]]
												   : "libcoreclr.so",
						    .native = isupper((unsigned char)letters[count]) != 0 };
	struct nt_call_stack stack = { .frames = of, .count = count };
	struct nt_target_end end = { 0 };
	nt_overflow_tell(&stack, frames, arena, &end);
	return end;
}

static void test_what_is_said(void **state)
{
	(void)state;
	const struct {
		const char *letters;
		uint32_t frames; /* of which so many are not among the letters: those in between */
		const char *sentence, *lines;
	} cases[] = {
		{ "NNaaaaaaaamNN", 1013, "Stack overflow in A.a(), at least 1008 frames", "at least 1008 times:\n  at A.a()\nat A.Main()" },
		/* the outermost begin with another one of them than the innermost end with */
		{ "NabcabcabcabbcabcabcmN", 3003, "Stack overflow in A.a(), A.b(), A.c(), at least 3000 frames",
		  "at least 1000 times:\n  at A.a()\n  at A.b()\n  at A.c()\nat A.Main()" },
		/* called from what comes again; native code among that */
		{ "NeaNaNaNaNmN", 12, "Stack overflow in A.a(), at least 8 frames",
		  "at A.e()\nat least 4 times:\n  at A.a()\nat A.Main()" },
		{ "abcdabcdabcdm", 13, "Stack overflow in A.a(), A.b(), A.c() and 1 more, at least 12 frames",
		  "at least 3 times:\n  at A.a()\n  at A.b()\n  at A.c()\n  at A.d()\nat A.Main()" },
		/* twice is no circle; nothing but the runtime; nothing */
		{ "NababmN", 7, "Stack overflow in A.a()", "at A.a()\nat A.b()\nat A.a()\nat A.b()\nat A.Main()" },
		{ "NNN", 3, "Stack overflow", NULL },
		{ "", 0, "Stack overflow", NULL },
		/* less than there are letters is believed by nobody */
		{ "aaaam", 2, "Stack overflow in A.a(), at least 4 frames", "at least 4 times:\n  at A.a()\nat A.Main()" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_arena *arena = nt_arena_new();
		struct nt_target_end end = told_of(cases[i].letters, cases[i].frames, arena);
		assert_string_equal(end.overflow, cases[i].sentence);
		if (cases[i].lines)
			assert_string_equal(end.stack, cases[i].lines);
		else
			assert_null(end.stack);
		nt_arena_free(arena);
	}
}

static void test_without_a_stack(void **state)
{
	(void)state;
	struct nt_arena *arena = nt_arena_new();
	struct nt_target_end end = { 0 };
	nt_overflow_tell(NULL, 1000, arena, &end);
	assert_string_equal(end.overflow, "Stack overflow");
	assert_false(end.frames.known);
	nt_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_is_said), cmocka_unit_test(test_without_a_stack) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
