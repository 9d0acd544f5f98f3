// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session/handover.h"

#define AT(seconds) ((nt_time)(1000 + (seconds)) * NT_NS_PER_S)

static void silent_for_a_moment_changes_nothing(void **state)
{
	(void)state;
	struct nt_handover lttng;
	nt_handover_init(&lttng, true);
	assert_true(nt_handover_see(&lttng, NT_STATE_STARTING, AT(1)));
	assert_true(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(3)));
	assert_true(nt_handover_see(&lttng, NT_STATE_STALLED, AT(60)));
	nt_handover_init(&lttng, true);
	for (int s = 0; s < 60; s += 4) {
		assert_true(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(s)));
		assert_true(nt_handover_see(&lttng, NT_STATE_STALLED, AT(s + 3)));
	}
}

static void silent_for_long_it_is_replaced(void **state)
{
	(void)state;
	struct nt_handover lttng;
	nt_handover_init(&lttng, true);
	assert_true(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(20)));
	assert_true(nt_handover_see(&lttng, NT_STATE_STALLED, AT(21)));
	assert_true(nt_handover_see(&lttng, NT_STATE_STALLED, AT(25)));
	assert_false(nt_handover_see(&lttng, NT_STATE_STALLED, AT(26)));
	assert_false(nt_handover_see(&lttng, NT_STATE_STALLED, AT(100)));
	/* It has to deliver for a while before it is relied on again. */
	assert_false(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(101)));
	assert_false(nt_handover_see(&lttng, NT_STATE_STALLED, AT(103)));
	assert_false(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(104)));
	assert_false(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(111)));
	assert_true(nt_handover_see(&lttng, NT_STATE_DELIVERING, AT(112)));
}

static void what_cannot_be_is_replaced_at_once(void **state)
{
	(void)state;
	static const enum nt_source_state states[] = { NT_STATE_ABSENT, NT_STATE_FORBIDDEN, NT_STATE_ENDED, NT_STATE_UNUSED };
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		struct nt_handover lttng;
		nt_handover_init(&lttng, true);
		assert_false(nt_handover_see(&lttng, states[i], AT(0)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silent_for_a_moment_changes_nothing),
		cmocka_unit_test(silent_for_long_it_is_replaced),
		cmocka_unit_test(what_cannot_be_is_replaced_at_once),
	};
	return cmocka_run_group_tests_name("handover", tests, NULL, NULL);
}
