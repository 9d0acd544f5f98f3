// SPDX-License-Identifier: GPL-2.0-only
/* What `nettop report` writes: what a finding rests on, which time a tile is of, which rows are there; and that no text of the target is more than a text. How it looks: tests/golden. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/column.h"
#include "output/report/report_write.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define S             NT_NS_PER_S
#define HOSTILE       "```\n````\n# owned @everybody <b>\x1b[2J"

static struct nt_finding findings[] = {
	{ .kind = NT_FINDING_POOL_STARVATION,
	  .headline = NT_SUBJECT_POOL,
	  .screen = '4',
	  .value = 412.5,
	  .threshold = 100,
	  .unit = "ms_per_s",
	  .since = 1010 * S,
	  .until = NT_TIME_UNKNOWN,
	  .text = "Pool starvation at " HOSTILE },
	{ .kind = NT_FINDING_ALLOC_BURST,
	  .headline = NT_SUBJECT_ALLOC,
	  .screen = '5',
	  .value = 3.0 * (1 << 30),
	  .threshold = 1 << 30,
	  .confidence = NT_CONFIDENCE_ESTIMATED,
	  .unit = "bytes_per_s",
	  .since = 1002 * S,
	  .until = 1005 * S,
	  .text = "Allocation burst" },
};

static struct nt_wait_row waits[] = { { .id = 1, .site = "Pool.Idle()", .idle = true, .count_all = 9 },
				      { .id = 2, .site = HOSTILE, .count_all = 3, .spent_all_ns = S },
				      { .id = 3, .site = "Shop.Take()", .count_all = 1, .spent_all_ns = 2 * S } };
static const struct nt_call_frame frames[] = { { .name = HOSTILE, .module = HOSTILE } };
static const struct nt_call_stack stack = { .frames = frames, .count = 1 };
static struct nt_thread_row threads[] = { { .tid = 4711, .name = HOSTILE, .looked_at = true, .waits = true, .wait_from = &stack } };

struct fixture {
	struct nt_process_snapshot processes[2];
	struct nt_snapshot whole, last;
	struct nt_jit_report *with;
	struct nt_report report;
};

static int set_up(void **state)
{
	static struct fixture fixture;
	fixture = (struct fixture){ 0 };
	for (size_t i = 0; i < LENGTH(fixture.processes); i++)
		fixture.processes[i] = (struct nt_process_snapshot){
			.target = { .pid = 4711, .name = HOSTILE, .runtime = HOSTILE },
			.findings = findings,
			.finding_count = LENGTH(findings),
			.quiet_since = NT_TIME_UNKNOWN,
			.waits = waits,
			.wait_count = LENGTH(waits),
			.threads = threads,
			.thread_count = LENGTH(threads),
			.checked = { "pauses", "locks" },
			.checked_count = 2,
			.unchecked = { "requests" },
			.unchecked_count = 1,
		};
	fixture.whole = (struct nt_snapshot){ .start = 1000 * S,
					      .t0 = 1029 * S,
					      .t1 = 1030 * S,
					      .final = true,
					      .complete = true,
					      .processes = &fixture.processes[0],
					      .process_count = 1 };
	fixture.last = fixture.whole;
	fixture.last.final = false;
	fixture.last.processes = &fixture.processes[1];
	fixture.processes[0].total.pool.why.reason = "nobody tells of all the time";
	fixture.processes[0].total.cpu.usage_pct = (struct nt_f64){ .known = true, .v = 12 };
	fixture.processes[1].interval.cpu.usage_pct = (struct nt_f64){ .known = true, .v = 99 };
	fixture.processes[1].interval.pool.worker_count = (struct nt_u64){ .known = true, .v = 7 };
	fixture.processes[1].interval.gc.why = (struct nt_why){ "it was started without them", "restart it" };
	fixture.with = nt_jit_report_new();
	fixture.with->settings_known = fixture.with->file_settings_known = true;
	nt_jit_report_add_setting(fixture.with, "DOTNET_gcServer", HOSTILE);
	fixture.report = (struct nt_report){
		.whole = &fixture.whole, .last = &fixture.last, .started_with = fixture.with, .version = "0.1", .rows = 10
	};
	setenv("TZ", "UTC0", 1);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	nt_jit_report_free(((struct fixture *)*state)->with);
	return 0;
}

/* Not inlined: the compiler believes that the text might be where the pointer to it was. */
__attribute__((noinline)) static char *written(const struct fixture *fixture, enum nt_report_form form)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	nt_report_write(out, &fixture->report, form);
	fclose(out);
	return text;
}

static void assert_says(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fail_msg("not there: %s\nin: %s", expected, text);
}

static void assert_says_not(const char *text, const char *wrong)
{
	if (strstr(text, wrong))
		fail_msg("there: %s\nin: %s", wrong, text);
}

static void a_finding_says_what_it_rests_on(void **state)
{
	char *text = written(*state, NT_REPORT_TEXT);
	assert_says(text, "! Pool starvation at ```\\x0a````\\x0a# owned @everybody <b>\\x1b[2J\n"
			  "    pool_starvation since 1970-01-01T00:16:50.000+0000, for 20s: 412ms/s, threshold 100ms/s, counted; key 4\n");
	assert_says(
		text,
		"\n  Allocation burst\n    alloc_burst since 1970-01-01T00:16:42.000+0000, for 3.0s, until 1970-01-01T00:16:45.000+0000: "
		"3.00G/s, threshold 1.00G/s, estimated; key 5\n");
	assert_says(text, "Not known: requests. Checked: pauses, locks.\n");
	free(text);
}

static void without_a_finding_it_says_what_was_looked_at(void **state)
{
	struct fixture *fixture = *state;
	fixture->processes[0].finding_count = 0;
	fixture->processes[0].quiet_since = 1000 * S;
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\nFindings\n  No threshold crossed for 30s. Not known: requests. Checked: pauses, locks.\n");
	free(text);
	fixture->processes[1].checked_count = fixture->processes[1].unchecked_count = 0;
	text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\nFindings\n  Nobody could look.\n");
	free(text);
}

static void a_tile_says_which_time_it_is_of(void **state)
{
	char *text = written(*state, NT_REPORT_TEXT);
	assert_says(text, "\n CPU   all              12%");
	assert_says(text, "\n!POOL  last 1.0s             7 workers\n");
	assert_says_not(text, "99%");
	free(text);
}

static void rows_are_counted_and_those_that_wait_for_work_are_not(void **state)
{
	struct fixture *fixture = *state;
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\n8 Waits: waits, 2 of 2, since attach\n");
	assert_says_not(text, "Pool.Idle");
	free(text);
	fixture->report.rows = 1;
	text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\n8 Waits: waits, the first 1 of 2, since attach\n");
	assert_says(text, "Shop.Take()");
	free(text);
}

static void what_is_missing_comes_with_its_fix(void **state)
{
	char *text = written(*state, NT_REPORT_TEXT);
	assert_says(text, ": it was started without them; fix: restart it\n");
	assert_says(text, "\nLoss\n lost 0 events\n");
	free(text);
}

static void a_report_of_a_part_says_so(void **state)
{
	struct fixture *fixture = *state;
	fixture->whole.complete = false;
	fixture->whole.lost_count = 3;
	fixture->whole.lost_unknown = true;
	fixture->with->settings_known = false;
	fixture->processes[1].threads = NULL;
	fixture->processes[1].thread_count = 0;
	fixture->processes[1].interval.waits.why = (struct nt_why){ "its memory may not be read", "be root" };
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\n lost >3 events; what came last was not all read\n");
	assert_says(text, " settings: not known\n");
	assert_says(text, "\nThreads\n nobody looks at the threads: its memory may not be read; fix: be root\n");
	free(text);
}

/* By the rules of CommonMark: a fence is closed by a line of as many backticks or more, and nothing else. */
static void nothing_of_the_target_is_outside_of_code(void **state)
{
	char *text = written(*state, NT_REPORT_MARKDOWN);
	size_t fence = 0, fences = 0;
	assert_null(strchr(text, '\x1b'));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		size_t indent = strspn(line, " "), ticks = strspn(line + indent, "`");
		bool is_fence = indent < 4 && ticks >= 3 && !strchr(line + indent + ticks, '`');
		bool closes = is_fence && fence && ticks >= fence && !line[indent + ticks + strspn(line + indent + ticks, " ")];
		if (!fence && is_fence) {
			fence = ticks;
			fences++;
		} else if (closes) {
			fence = 0;
		} else if (!fence && strstr(line, "owned")) {
			/* A span between more backticks than follow each other in it. */
			char *begin = strstr(line, "````` "), *end = begin ? strstr(begin + 6, " `````") : NULL;
			assert_non_null(end);
			assert_true(strstr(line, "owned") > begin);
			assert_null(strstr(end, "owned"));
		}
	}
	assert_int_equal(fence, 0);
	assert_true(fences >= 6);
	free(text);
}

#define MARKUP "</title></pre></text>]]><script>alert(1)</script><img src=x onerror=\"alert(1)\">&lt;"

static bool is_a_tag_of_ours(const char *at)
{
	static const char *const tags[] = { "!DOCTYPE", "html", "head", "meta", "title", "style", "body",   "h1", "h2",
					    "p",        "br",   "code", "pre",  "svg",   "rect",  "script", "g",  "text" };
	at += *at == '/';
	for (size_t i = 0; i < LENGTH(tags); i++) {
		size_t length = strlen(tags[i]);
		if (strncmp(at, tags[i], length) == 0 && (at[length] == '>' || at[length] == ' ' || at[length] == '/'))
			return true;
	}
	return false;
}

/* Where that ends in a text. */
static size_t end_of(const char *text, const char *expected)
{
	assert_says(text, expected);
	return (size_t)(strstr(text, expected) - text) + strlen(expected);
}

/* Names are chosen by who wrote the program, or by who called it. */
static void nothing_of_the_target_is_markup(void **state)
{
	struct fixture *fixture = *state;
	static const struct nt_stack_frame code[] = { { .sort = NT_FRAME_THREAD, .tid = 7, .name = MARKUP },
						      { .name = MARKUP, .module = MARKUP, .reason = MARKUP, .kind = NT_CODE_NATIVE } };
	static const struct nt_stack_node nodes[] = { { .parent = NT_STACK_ROOT, .frame = 0 }, { .parent = 0, .frame = 1, .self = 5 } };
	const struct nt_stack_tree tree = {
		.wanted = NT_STACKS_ALL, .frames = code, .frame_count = 2, .nodes = nodes, .node_count = 2, .samples = 5
	};
	const struct nt_stacks stacks = { .tree = &tree, .pid = 4711, .process_name = MARKUP };
	struct nt_finding marked[] = { findings[0], findings[1] };
	struct nt_wait_row wait = { .id = 2, .site = MARKUP, .count_all = 3 };
	struct nt_thread_row thread = threads[0];
	thread.name = MARKUP;
	marked[0].text = marked[1].text = MARKUP;
	for (size_t i = 0; i < LENGTH(fixture->processes); i++) {
		fixture->processes[i].target.name = fixture->processes[i].target.runtime = MARKUP;
		fixture->processes[i].findings = marked;
		fixture->processes[i].waits = &wait;
		fixture->processes[i].wait_count = 1;
		fixture->processes[i].threads = &thread;
	}
	fixture->processes[1].interval.gc.why = (struct nt_why){ MARKUP, MARKUP };
	nt_jit_report_add_setting(fixture->with, "DOTNET_X", MARKUP);
	fixture->report.stacks = &stacks;
	char *text = written(fixture, NT_REPORT_HTML);
	const char *graph = text + end_of(text, "<script><![CDATA["), *rest = graph + end_of(graph, "]]></script>");
	assert_says_not(graph, "alert(1)\">");
	for (const char *at = text; (at = strchr(at, '<')) != NULL; at++) {
		if (at > graph && at < rest)
			continue; /* the graph's own script */
		if (strncmp(at, "<script><![CDATA[", 17) == 0 || (at + strlen("![CDATA[") < rest && strncmp(at, "<![CDATA[", 9) == 0))
			continue;
		if (!is_a_tag_of_ours(at + 1))
			fail_msg("a tag of somebody else's: %.60s", at);
		assert_int_not_equal(strncmp(at, "<script", 7), 0);
	}
	assert_null(strstr(text, "<img"));
	assert_says(text, "<h2>CPU samples by call stack</h2>\n<svg ");
	assert_says(text, "<h1>nettop report: <code>&lt;/title&gt;&lt;/pre&gt;");
	assert_says(text, "&amp;lt;");
	assert_says(rest, "<h2>Threads</h2>\n<pre>\n");
	assert_says(text, "</body>\n</html>\n");
	free(text);
}

static void a_page_without_samples_says_so(void **state)
{
	char *text = written(*state, NT_REPORT_HTML);
	assert_says(text, "<p>No CPU samples.</p>\n");
	assert_says_not(text, "<svg");
	assert_says(text, "<p>Not known: requests. Checked: pauses, locks.</p>\n");
	free(text);
}

/* ---- of a span that was chosen ---- */

/* Ten seconds of the half minute; 12% and 99% of a CPU are since attach and in the span. */
static void choose_span(struct fixture *fixture)
{
	fixture->last.t0 = 1015 * S;
	fixture->last.t1 = 1025 * S;
	fixture->processes[1].total = fixture->processes[0].total;
	fixture->report.whole = fixture->report.last = &fixture->last;
	fixture->report.is_span = true;
}

static void of_a_span_nothing_is_since_attach(void **state)
{
	struct fixture *fixture = *state;
	choose_span(fixture);
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "  a span of 10s, from 1970-01-01T00:16:55.000+0000 until 1970-01-01T00:17:05.000+0000, by nettop 0.1\n");
	assert_says(text, "\n CPU   span             99%");
	assert_says(text, "\n!POOL  span                  7 workers\n");
	assert_says_not(text, "12%");
	assert_says(text, "\n8 Waits: waits, 2 of 2, in the span\n");
	assert_says_not(text, "since attach");
	assert_says_not(text, "not all read");
	assert_says(text, "\nLoss\n lost 0 events from attach to the end of the span\n");
	free(text);
}

static void of_a_span_no_time_before_it_is_calm(void **state)
{
	struct fixture *fixture = *state;
	choose_span(fixture);
	fixture->processes[1].finding_count = 0;
	fixture->processes[1].quiet_since = 1000 * S;
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\nFindings\n  No threshold crossed for 10s. Not known: requests. Checked: pauses, locks.\n");
	free(text);
}

static void of_parts_of_intervals_it_says_what_it_cannot_know(void **state)
{
	struct fixture *fixture = *state;
	choose_span(fixture);
	fixture->processes[1].thread_count = 0;
	fixture->processes[1].interval.waits.why.reason = "it has parts of intervals";
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "\nThreads\n not told: it has parts of intervals\n");
	free(text);
}

static void while_watching_goes_on_it_is_of_what_was_seen_until_then(void **state)
{
	struct fixture *fixture = *state;
	fixture->whole.final = fixture->whole.complete = false;
	char *text = written(fixture, NT_REPORT_TEXT);
	assert_says(text, "  watched for 30s, until 1970-01-01T00:17:10.000+0000 and further, by nettop 0.1\n");
	assert_says(text, "What was over before that moment is not listed.\n");
	assert_says(text, "\nLoss\n lost 0 events\n");
	free(text);
}

static void a_page_says_why_it_has_no_stacks(void **state)
{
	struct fixture *fixture = *state;
	fixture->report.no_stacks = "Nobody <kept> them.";
	char *text = written(fixture, NT_REPORT_HTML);
	assert_says(text, "<p>Nobody &lt;kept&gt; them.</p>\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_of_the_target_is_markup, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_page_without_samples_says_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_finding_says_what_it_rests_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_a_finding_it_says_what_was_looked_at, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_tile_says_which_time_it_is_of, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rows_are_counted_and_those_that_wait_for_work_are_not, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_missing_comes_with_its_fix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_of_a_part_says_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_of_the_target_is_outside_of_code, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_a_span_nothing_is_since_attach, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_a_span_no_time_before_it_is_calm, set_up, tear_down),
		cmocka_unit_test_setup_teardown(of_parts_of_intervals_it_says_what_it_cannot_know, set_up, tear_down),
		cmocka_unit_test_setup_teardown(while_watching_goes_on_it_is_of_what_was_seen_until_then, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_page_says_why_it_has_no_stacks, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
