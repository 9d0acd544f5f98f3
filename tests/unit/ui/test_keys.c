// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/screen/keys.h"

#include <string.h>

static void one_key_means_one_thing(void **state)
{
	(void)state;
	for (size_t i = 0; i < nt_key_table_count; i++)
		for (size_t k = 0; k < NT_KEYS_PER_ENTRY; k++)
			if (nt_key_table[i].keys[k])
				assert_int_equal(nt_key_action(nt_key_table[i].keys[k]), nt_key_table[i].action);
}

static void every_action_has_one_entry_that_says_what_it_does(void **state)
{
	unsigned seen[NT_DO_LATER + 1] = { 0 };
	(void)state;
	for (size_t i = 0; i < nt_key_table_count; i++) {
		const struct nt_key_entry *entry = &nt_key_table[i];
		assert_true(entry->action > NT_DO_NOTHING && entry->action <= NT_DO_LATER);
		seen[entry->action]++;
		assert_true(entry->keys[0] && *entry->caps && *entry->word);
		assert_true(strlen(entry->help) > strlen("One."));
		assert_int_equal(entry->help[strlen(entry->help) - 1], '.');
		if (entry->hint)
			assert_non_null(strchr(entry->hint, ' '));
		assert_int_equal(entry->action == NT_DO_LATER, entry->group == NT_KEYS_RESERVED);
		if (entry->action == NT_DO_LATER)
			assert_non_null(entry->comes_with);
	}
	for (int action = NT_DO_NOTHING + 1; action < NT_DO_LATER; action++)
		assert_int_equal(seen[action], 1);
}

static void other_keys_do_nothing(void **state)
{
	(void)state;
	assert_int_equal(nt_key_action(0), NT_DO_NOTHING);
	assert_int_equal(nt_key_action(NT_KEY_NONE), NT_DO_NOTHING);
	assert_int_equal(nt_key_action(NT_KEY_OTHER), NT_DO_NOTHING);
	assert_int_equal(nt_key_action(0x65e5), NT_DO_NOTHING);
	assert_int_equal(nt_key_action(':'), NT_DO_NOTHING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_key_means_one_thing),
		cmocka_unit_test(every_action_has_one_entry_that_says_what_it_does),
		cmocka_unit_test(other_keys_do_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
