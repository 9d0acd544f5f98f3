// SPDX-License-Identifier: GPL-2.0-only
/* Texts in generations: what nobody uses is forgotten, what is pinned stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/texts.h"

#include <stdio.h>
#include <string.h>

static struct nt_texts *new_texts(void)
{
	return nt_texts_new(&(struct nt_texts_config){ .slack_bytes = 1 });
}

static void a_text_that_nobody_uses_is_forgotten(void **state)
{
	(void)state;
	struct nt_texts *texts = new_texts();
	const char *used = nt_texts_intern_cstr(texts, "used");
	nt_texts_intern_cstr(texts, "not used");
	size_t both = nt_texts_bytes(texts);
	assert_true(nt_texts_grown(texts));
	nt_texts_mark(texts, used);
	nt_texts_mark(texts, NULL);
	nt_texts_mark(texts, "not of the table");
	nt_texts_sweep(texts);
	assert_true(nt_texts_bytes(texts) < both);
	assert_false(nt_texts_grown(texts));
	assert_ptr_equal(nt_texts_intern_cstr(texts, "used"), used);
	assert_string_equal(nt_texts_intern_cstr(texts, "not used"), "not used"); /* said again, it is a new one */
	assert_int_equal(nt_texts_bytes(texts), both);
	nt_texts_free(texts);
}

static void a_text_ends_at_a_nul(void **state)
{
	(void)state;
	const struct nt_texts_config config = { .limit_bytes = 1 << 20, .slack_bytes = 1 };
	struct nt_texts *texts = nt_texts_new(&config);
	const char *used = nt_texts_intern(texts, "used\0behind", 11);
	assert_ptr_equal(nt_texts_intern_cstr(texts, "used"), used);
	nt_texts_mark(texts, used);
	nt_texts_sweep(texts);
	assert_ptr_equal(nt_texts_intern(texts, "used\0", 5), used);
	assert_string_equal(used, "used");
	nt_texts_free(texts);
}

static void a_pin_keeps_the_texts_of_its_generation(void **state)
{
	(void)state;
	struct nt_texts *texts = new_texts();
	const char *first = nt_texts_intern_cstr(texts, "first");
	struct nt_texts_pin *pin = nt_texts_pin(texts), *again = nt_texts_pin(texts);
	nt_texts_sweep(texts);
	assert_string_equal(first, "first");
	size_t pinned = nt_texts_bytes(texts);
	assert_true(pinned > 0);
	/* The same text said anew is another one: the table does not hand out what it has forgotten. */
	assert_ptr_not_equal(nt_texts_intern_cstr(texts, "first"), first);
	/* What came later is none of the pin's. */
	for (int i = 0; i < 1000; i++) {
		char text[32];
		snprintf(text, sizeof(text), "later %d", i);
		nt_texts_intern_cstr(texts, text);
		nt_texts_sweep(texts);
		assert_int_equal(nt_texts_bytes(texts), pinned);
	}
	nt_texts_unpin(pin);
	assert_string_equal(first, "first");
	nt_texts_unpin(again);
	assert_int_equal(nt_texts_bytes(texts), 0);
	nt_texts_unpin(NULL);
	nt_texts_free(texts);
}

static void each_pin_keeps_its_own(void **state)
{
	(void)state;
	struct nt_texts *texts = new_texts();
	const char *old = nt_texts_intern_cstr(texts, "old");
	struct nt_texts_pin *before = nt_texts_pin(texts);
	nt_texts_mark(texts, old);
	nt_texts_sweep(texts);
	const char *newer = nt_texts_intern_cstr(texts, "newer");
	struct nt_texts_pin *after = nt_texts_pin(texts);
	nt_texts_sweep(texts);
	size_t both = nt_texts_bytes(texts);
	nt_texts_unpin(before); /* `old` was there when the second one was pinned, too */
	assert_int_equal(nt_texts_bytes(texts), both);
	assert_string_equal(old, "old");
	assert_string_equal(newer, "newer");
	nt_texts_unpin(after);
	assert_int_equal(nt_texts_bytes(texts), 0);
	nt_texts_free(texts);
}

static void pinned_texts_outlive_the_table(void **state)
{
	(void)state;
	struct nt_texts *texts = new_texts();
	const char *text = nt_texts_intern_cstr(texts, "text");
	struct nt_texts_pin *pin = nt_texts_pin(texts);
	nt_texts_free(texts);
	assert_string_equal(text, "text");
	nt_texts_unpin(pin); /* a leak is the sanitizer's to find */
}

static void many_are_found_again_after_a_sweep(void **state)
{
	(void)state;
	enum { COUNT = 20000 };
	static const char *kept[COUNT];
	struct nt_texts *texts = new_texts();
	char text[32];
	for (int i = 0; i < COUNT; i++) {
		snprintf(text, sizeof(text), "name %d", i);
		kept[i] = nt_texts_intern_cstr(texts, text);
	}
	for (int i = 0; i < COUNT; i += 7)
		nt_texts_mark(texts, kept[i]);
	nt_texts_sweep(texts);
	size_t bytes = nt_texts_bytes(texts);
	for (int i = 0; i < COUNT; i += 7) {
		snprintf(text, sizeof(text), "name %d", i);
		assert_ptr_equal(nt_texts_intern_cstr(texts, text), kept[i]);
	}
	assert_int_equal(nt_texts_bytes(texts), bytes);
	nt_texts_free(texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_that_nobody_uses_is_forgotten),    cmocka_unit_test(a_text_ends_at_a_nul),
		cmocka_unit_test(a_pin_keeps_the_texts_of_its_generation), cmocka_unit_test(each_pin_keeps_its_own),
		cmocka_unit_test(pinned_texts_outlive_the_table),          cmocka_unit_test(many_are_found_again_after_a_sweep),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
