// SPDX-License-Identifier: GPL-2.0-only
/* Conditions of --on: what is understood, and when they come true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/common/triggers.h"
#include "app/show/trigger_acts.h"
#include "nettop/finding.h"

#include <string.h>

static struct nt_trigger parsed(const char *text)
{
	struct nt_trigger trigger;
	struct nt_error err = { 0 };
	if (nt_trigger_parse(text, &trigger, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	return trigger;
}

static void check_refused(const char *text, const char *words)
{
	struct nt_trigger trigger;
	struct nt_error err = { 0 };
	assert_int_equal(nt_trigger_parse(text, &trigger, &err), NT_ERR_USAGE);
	if (!strstr(err.cause[0], words))
		fail_msg("%s", err.cause[0]);
}

static void figures_are_called_as_in_json_or_shorter(void **state)
{
	(void)state;
	struct nt_trigger trigger = parsed("gc.pause>200ms=mark,exit");
	assert_string_equal(trigger.figure->key, "pause_max_ns");
	assert_true(trigger.value == 200e6);
	assert_int_equal(trigger.limit, NT_TRIGGER_ABOVE);
	assert_int_equal(trigger.actions, NT_TRIGGER_MARK | NT_TRIGGER_EXIT);
	assert_string_equal(parsed("gc.pause_ns>=1s").figure->key, "pause_ns");
	assert_string_equal(parsed("gc.heap>1.5G=save").figure->key, "heap_bytes");
	assert_true(parsed("gc.heap>1.5G=save").value == 1.5 * (1 << 30));
	assert_string_equal(parsed("gc.pause_pct<=90%").figure->key, "pause_pct");
	assert_int_equal(parsed("gc.pause_pct<=90%").limit, NT_TRIGGER_AT_MOST);
	assert_true(parsed("threads.count>=200").value == 200);
	assert_int_equal(parsed("threads.count>200").actions, NT_TRIGGER_MARK);
}

static void findings_have_no_limit(void **state)
{
	(void)state;
	assert_true(parsed("finding=bell").any_finding);
	assert_int_equal(parsed("finding=bell").actions, NT_TRIGGER_BELL);
	assert_int_equal(parsed("finding.gc_storm").finding, NT_FINDING_GC_STORM);
	assert_null(parsed("finding.gc_storm").figure);
}

static void the_end_is_a_condition(void **state)
{
	(void)state;
	struct nt_process_snapshot process = { .target = { .pid = 1 } };
	const struct nt_snapshot snapshot = { .processes = &process, .process_count = 1 };
	struct nt_trigger trigger = parsed("exit=record,mark");
	char said[NT_TRIGGER_TEXT];
	assert_int_equal(trigger.actions, NT_TRIGGER_MARK | NT_TRIGGER_RECORD);
	assert_false(nt_trigger_fires(&trigger, &snapshot, said));
	process.target.ended = true;
	process.target.end_text = "exited with 3";
	assert_true(nt_trigger_fires(&trigger, &snapshot, said));
	assert_string_equal(said, "the process has ended: exited with 3");
	assert_false(nt_trigger_fires(&trigger, &snapshot, said));
}

static void what_is_no_condition_says_why(void **state)
{
	(void)state;
	check_refused("", "no figure");
	check_refused(">3", "no figure");
	check_refused("gc.pause", "no limit");
	check_refused("gc.pause=exit", "no limit");
	check_refused("gc.nothing>3", "no figure of this name");
	check_refused("gc.pause>200", "a number with a unit");
	check_refused("gc.pause>ms", "a number with a unit");
	check_refused("gc.heap>2ms", "a number with a unit");
	check_refused("gc.pause>nan%", "a number with a unit");
	check_refused("finding.nothing", "no finding of this name");
	check_refused("finding>3", "has no limit");
	check_refused("exit>3", "the end has no limit");
	check_refused("gc.pause>1s=shout", "mark, bell, save, record or exit");
}

static void it_fires_when_it_comes_true(void **state)
{
	(void)state;
	struct nt_process_snapshot process = { .target = { .pid = 1 } };
	struct nt_snapshot snapshot = { .processes = &process, .process_count = 1 };
	struct nt_trigger trigger = parsed("gc.pause>200ms");
	char said[NT_TRIGGER_TEXT];
	assert_false(nt_trigger_fires(&trigger, &snapshot, said)); /* not known */
	assert_false(trigger.judged);
	process.interval.gc.pause_max_ns = (struct nt_u64){ .known = true, .v = 231 * NT_NS_PER_MS };
	assert_true(nt_trigger_fires(&trigger, &snapshot, said));
	assert_string_equal(said, "gc.pause_max_ns 231ms, over 200ms");
	assert_true(trigger.judged);
	assert_false(nt_trigger_fires(&trigger, &snapshot, said)); /* it holds still */
	process.interval.gc.pause_max_ns.v = 200 * NT_NS_PER_MS;
	assert_false(nt_trigger_fires(&trigger, &snapshot, said));
	process.interval.gc.pause_max_ns.v = 201 * NT_NS_PER_MS;
	assert_true(nt_trigger_fires(&trigger, &snapshot, said)); /* again */
}

static void note(void *context, const char *line)
{
	snprintf(context, NT_TRIGGER_TEXT, "%s", line);
}

/* A screen is looked at for hours: what nobody judges is said while it is so, and that it is over. */
static void what_nobody_judges_is_said(void **state)
{
	(void)state;
	struct nt_process_snapshot process = { .target = { .pid = 1 } };
	struct nt_snapshot snapshot = { .processes = &process, .process_count = 1 };
	struct nt_trigger_acts acts = { .triggers = { parsed("gc.pause>200ms"), parsed("finding=mark") }, .count = 2 };
	char said[NT_TRIGGER_TEXT] = "";
	for (int i = 1; i < 3 * NT_TRIGGER_UNKNOWN_FOR; i++) {
		nt_trigger_acts_look(&acts, &snapshot, note, said);
		nt_trigger_acts_watch(&acts, note, said);
		assert_string_equal(said, i == NT_TRIGGER_UNKNOWN_FOR
						  ? "--on: gc.pause_max_ns is not known: whether it comes true nobody can say"
						  : "");
		said[0] = '\0';
	}
	process.interval.gc.pause_max_ns = (struct nt_u64){ .known = true, .v = NT_NS_PER_MS };
	nt_trigger_acts_look(&acts, &snapshot, note, said);
	nt_trigger_acts_watch(&acts, note, said);
	assert_string_equal(said, "--on: gc.pause_max_ns is known again");
}

static void a_finding_fires_when_it_begins(void **state)
{
	(void)state;
	struct nt_finding findings[] = { { .kind = NT_FINDING_GC_STORM, .until = 5, .text = "over" },
					 { .kind = NT_FINDING_JIT_STORM, .until = NT_TIME_UNKNOWN, .text = "JIT storm" } };
	struct nt_process_snapshot process = { .findings = findings, .finding_count = 2 };
	struct nt_snapshot snapshot = { .processes = &process, .process_count = 1 };
	struct nt_trigger any = parsed("finding"), storm = parsed("finding.gc_storm");
	char said[NT_TRIGGER_TEXT];
	assert_true(nt_trigger_fires(&any, &snapshot, said));
	assert_string_equal(said, "JIT storm");
	assert_false(nt_trigger_fires(&storm, &snapshot, said));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_called_as_in_json_or_shorter),
		cmocka_unit_test(findings_have_no_limit),
		cmocka_unit_test(the_end_is_a_condition),
		cmocka_unit_test(what_is_no_condition_says_why),
		cmocka_unit_test(it_fires_when_it_comes_true),
		cmocka_unit_test(what_nobody_judges_is_said),
		cmocka_unit_test(a_finding_fires_when_it_begins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
