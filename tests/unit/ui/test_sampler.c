// SPDX-License-Identifier: GPL-2.0-only
/* Key S: what is asked, what is wanted afterwards, and when it is refused. */
#include "build.h"

#include "base/text.h"
#include "nettop/source.h"
#include "ui/sampler.h"

#include <string.h>

static struct nt_ui *begin(bool sampling, const char *no_eventpipe)
{
	const struct nt_ui_config config = {
		.pid = 4711, .name = "shop", .interval_ns = NT_NS_PER_S, .sampling = sampling, .no_eventpipe = no_eventpipe
	};
	return nt_ui_new(&config);
}

static void show(struct nt_ui *ui, enum nt_source_state perf, enum nt_source_state eventpipe, const char *reason)
{
	struct nt_snapshot *snapshot = make_snapshot(1, NULL, 0);
	snapshot->sources[snapshot->source_count++] = (struct nt_source_row){ .id = NT_SOURCE_PERF, .state = perf };
	snapshot->sources[snapshot->source_count++] =
		(struct nt_source_row){ .id = NT_SOURCE_EVENTPIPE, .state = eventpipe, .reason = reason };
	nt_ui_snapshot(ui, snapshot, START);
	nt_snapshot_release(snapshot);
}

static bool wanted(const struct nt_ui *ui)
{
	return nt_ui_demand(ui) & NT_WANT_WALL_SAMPLES;
}

static void press(struct nt_ui *ui, const char *keys)
{
	for (; *keys; keys++)
		nt_ui_handle(ui, (nt_key)(unsigned char)*keys, START);
}

static void it_asks_first(void **state)
{
	(void)state;
	struct nt_ui *ui = begin(false, NULL);
	show(ui, NT_STATE_FORBIDDEN, NT_STATE_DELIVERING, NULL);
	assert_false(wanted(ui));
	press(ui, "S");
	assert_false(wanted(ui));
	press(ui, "n");
	assert_false(wanted(ui));
	press(ui, "Sy");
	assert_true(wanted(ui));
	press(ui, "S");
	assert_false(wanted(ui));
	nt_ui_free(ui);
}

/* On whatever screen one is. */
static void it_stays_on_other_screens(void **state)
{
	(void)state;
	struct nt_ui *ui = begin(false, NULL);
	show(ui, NT_STATE_ABSENT, NT_STATE_UNUSED, "not needed: LTTng delivers the events");
	press(ui, "Sy2");
	assert_true(wanted(ui));
	press(ui, "4");
	assert_true(wanted(ui));
	nt_ui_free(ui);
}

static void it_says_why_not(void **state)
{
	(void)state;
	static const struct {
		enum nt_source_state perf, eventpipe;
		const char *reason, *no_eventpipe, *said;
	} cases[] = {
		{ NT_STATE_DELIVERING, NT_STATE_DELIVERING, NULL, NULL, "are better" },
		{ NT_STATE_FORBIDDEN, NT_STATE_ABSENT, "--readonly: no session", NULL, "--readonly" },
		{ NT_STATE_FORBIDDEN, NT_STATE_FORBIDDEN, "another user's", NULL, "another user's" },
		{ NT_STATE_FORBIDDEN, NT_STATE_ENDED, NULL, NULL, "has ended" },
		{ NT_STATE_FORBIDDEN, NT_STATE_UNUSED, NULL, "not asked for", "not asked for" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_ui *ui = begin(false, cases[i].no_eventpipe);
		show(ui, cases[i].perf, cases[i].eventpipe, cases[i].reason);
		press(ui, "S");
		assert_non_null(strstr(ui->message, cases[i].said));
		press(ui, "y");
		assert_false(wanted(ui));
		nt_ui_free(ui);
	}
}

static void perf_ends_it(void **state)
{
	(void)state;
	struct nt_ui *ui = begin(true, NULL);
	show(ui, NT_STATE_UNUSED, NT_STATE_DELIVERING, NULL);
	assert_true(wanted(ui));
	show(ui, NT_STATE_DELIVERING, NT_STATE_DELIVERING, NULL);
	assert_false(wanted(ui));
	nt_ui_free(ui);
}

static void the_question_fits(void **state)
{
	(void)state;
	static const int widths[] = { 40, 60, 80, 120, 200 };
	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct nt_line question = { 0 };
		nt_sampler_question(widths[i], &question);
		assert_true(nt_text_cells(question.text) < widths[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_asks_first), cmocka_unit_test(it_stays_on_other_screens), cmocka_unit_test(it_says_why_not),
		cmocka_unit_test(perf_ends_it),  cmocka_unit_test(the_question_fits),
	};
	return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
