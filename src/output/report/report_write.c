// SPDX-License-Identifier: GPL-2.0-only
#include "output/report/report_write.h"

#include "base/text.h"
#include "output/frame/text_parts.h"
#include "output/frame/time_text.h"
#include "output/report/report_html.h"
#include "output/report/report_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FENCE = 3, NUMBER = 32, HEADING = 128 };

struct page {
	FILE *out;
	const struct nt_report *report;
	enum nt_report_form form;
};

/* What is written to a stream, as a text, which is the draft's. */
struct draft {
	char *text;
	size_t length;
	FILE *out;
};

static void begin(struct draft *draft)
{
	*draft = (struct draft){ 0 };
	draft->out = open_memstream(&draft->text, &draft->length);
	nt_assert(draft->out);
}

static const char *end(struct draft *draft)
{
	nt_assert(fclose(draft->out) == 0);
	return draft->text;
}

/* ---- Markdown ---- */

/* Most backticks that follow each other: as many and one more are around a text that they do not end. */
static int ticks_in(const char *text)
{
	int most = 0;
	for (const char *at = text; *at;) {
		int count = (int)strspn(at, "`");
		most = count > most ? count : most;
		at += count ? count : 1;
	}
	return most;
}

static void put_ticks(FILE *out, int count)
{
	while (count-- > 0)
		fputc('`', out);
}

/* As it is, within a line: no sign in it means anything, and nobody is mentioned. */
static void put_code(FILE *out, const char *text)
{
	char *safe = nt_text_escaped(text ? text : "", text ? strlen(text) : 0);
	int ticks = ticks_in(safe) + 1;
	put_ticks(out, ticks);
	fprintf(out, ticks > 1 || !*safe ? " %s " : "%s", safe);
	put_ticks(out, ticks);
	free(safe);
}

/* ---- HTML ---- */

static void put_html(FILE *out, const char *text, size_t length)
{
	char *safe = nt_text_escaped(text, length);
	nt_html_put(out, safe);
	free(safe);
}

/* ---- the page ---- */

static bool is_markdown(const struct page *page)
{
	return page->form == NT_REPORT_MARKDOWN;
}

static bool is_html(const struct page *page)
{
	return page->form == NT_REPORT_HTML;
}

static void put_name(const struct page *page, const char *name)
{
	if (is_markdown(page)) {
		put_code(page->out, name);
	} else if (is_html(page)) {
		fputs("<code>", page->out);
		put_html(page->out, name ? name : "", name ? strlen(name) : 0);
		fputs("</code>", page->out);
	} else {
		nt_text_print(page->out, name);
	}
}

/* Words of ours. */
static void put_heading(const struct page *page, const char *heading)
{
	static const char *const forms[] = {
		[NT_REPORT_TEXT] = "\n%s\n", [NT_REPORT_MARKDOWN] = "\n## %s\n\n", [NT_REPORT_HTML] = "<h2>%s</h2>\n"
	};
	fprintf(page->out, forms[page->form], heading);
}

/* Whole lines of ours and the target's. What is not escaped yet is now. */
static void put_lines(const struct page *page, const char *text)
{
	int ticks = ticks_in(text) + 1;
	ticks = ticks < FENCE ? FENCE : ticks;
	size_t length;
	if (is_markdown(page)) {
		put_ticks(page->out, ticks);
		fputs("text\n", page->out);
	} else if (is_html(page)) {
		fputs("<pre>\n", page->out);
	}
	for (const char *rest = text, *line; nt_text_next_line(&rest, &line, &length);) {
		char *one = nt_text_escaped(line, length);
		if (is_html(page))
			nt_html_put(page->out, one);
		else
			fputs(one, page->out);
		fputc('\n', page->out);
		free(one);
	}
	if (is_markdown(page)) {
		put_ticks(page->out, ticks);
		fputc('\n', page->out);
	} else if (is_html(page)) {
		fputs("</pre>\n", page->out);
	}
}

static void put_section(const struct page *page, const char *heading, void (*write)(FILE *out, const struct nt_report *report))
{
	struct draft draft;
	begin(&draft);
	write(draft.out, page->report);
	const char *text = end(&draft);
	if (*text) {
		put_heading(page, heading);
		put_lines(page, text);
	}
	free(draft.text);
}

static void put_circumstances(FILE *out, const struct nt_report *report)
{
	char number[NUMBER];
	const struct nt_snapshot *whole = report->whole;
	nt_time from = report->is_span ? whole->t0 : whole->start;
	nt_text_put_runtime(out, &nt_report_process(report)->target);
	fputs(ftell(out) ? "\n" : "", out);
	fprintf(out, report->is_span ? "  a span of %s, " : "  watched for %s, ",
		nt_format_duration(whole->t1 - from, number, sizeof(number)));
	if (report->is_span) {
		fputs("from ", out);
		nt_time_print(out, from, report->realtime_offset_ns);
		fputc(' ', out);
	}
	fputs("until ", out);
	nt_time_print(out, whole->t1, report->realtime_offset_ns);
	fprintf(out, "%s, by nettop %s\n", whole->final || report->is_span ? "" : " and further", report->version);
	if (report->is_span)
		fputs("  memory, threads and sources as they were at its end; what is not known of a span is left out\n", out);
	nt_text_put_end(out, &nt_report_process(report)->target);
}

static void put_title(const struct page *page)
{
	static const char *const forms[] = { [NT_REPORT_TEXT] = " (%" PRIu32 ")\n",
					     [NT_REPORT_MARKDOWN] = " (%" PRIu32 ")\n\n",
					     [NT_REPORT_HTML] = " (%" PRIu32 ")</h1>\n" };
	const struct nt_target_info *target = &nt_report_process(page->report)->target;
	fputs(is_markdown(page) ? "# nettop report: " : is_html(page) ? "<h1>nettop report: " : "nettop report: ", page->out);
	put_name(page, target->name);
	fprintf(page->out, forms[page->form], target->pid);
	struct draft draft;
	begin(&draft);
	put_circumstances(draft.out, page->report);
	put_lines(page, end(&draft));
	free(draft.text);
}

static bool is_over(const struct nt_finding *finding)
{
	return finding->until != NT_TIME_UNKNOWN;
}

static void put_finding(const struct page *page, const struct nt_finding *finding)
{
	if (is_html(page))
		fputs(is_over(finding) ? "<p class=\"over\">" : "<p>", page->out);
	else
		fputs(is_markdown(page) ? "- " : is_over(finding) ? "  " : "! ", page->out);
	put_name(page, finding->text);
	fputs(is_markdown(page) ? "\n  " : is_html(page) ? "<br>\n" : "\n    ", page->out);
	nt_report_put_evidence(page->out, page->report, finding);
	fputs(is_html(page) ? "</p>\n" : "\n", page->out);
}

/* What was checked, in words of ours: a line, with its end or without. */
static void put_checked(const struct page *page, const char *text, bool follows)
{
	text += strspn(text, " ");
	if (!*text)
		return;
	if (is_html(page)) {
		fputs("<p>", page->out);
		put_html(page->out, text, strcspn(text, "\n"));
		fputs("</p>\n", page->out);
		return;
	}
	fprintf(page->out, "%s%s%s", !is_markdown(page) ? "  " : follows ? "\n" : "", text, strchr(text, '\n') ? "" : "\n");
}

/* Of a span no time before it is told. */
static nt_time quiet_from(const struct nt_report *report)
{
	nt_time since = nt_report_process(report)->quiet_since;
	return report->is_span && since < report->whole->t0 ? report->whole->t0 : since;
}

/* What was looked at is that of the last step in which everything was open. */
static void put_findings(const struct page *page)
{
	const struct nt_process_snapshot *process = nt_report_process(page->report), *looked = &page->report->last->processes[0];
	const struct nt_snapshot *whole = page->report->whole;
	struct draft draft;
	put_heading(page, "Findings");
	for (size_t i = 0; i < process->finding_count; i++)
		put_finding(page, &process->findings[i]);
	begin(&draft);
	if (process->finding_count)
		nt_text_put_checked(draft.out, looked);
	else if (process->quiet_since < whole->t1)
		nt_text_put_calm(draft.out, looked, whole->t1 - quiet_from(page->report));
	const char *text = end(&draft);
	if (!process->finding_count && !*text)
		text = " Nobody could look.";
	put_checked(page, text, process->finding_count);
	if (!whole->final && !page->report->is_span)
		put_checked(page, " What was over before that moment is not listed.", true);
	free(draft.text);
}

static void put_table(const struct page *page, const struct nt_subject *subject, const char *key)
{
	char heading[HEADING];
	size_t count, shown;
	struct draft draft;
	begin(&draft);
	nt_report_put_table(draft.out, page->report, nt_table_called(key), &count, &shown);
	const char *text = end(&draft);
	bool is_wall = subject == &nt_subject_cpu && nt_report_process(page->report)->sample_kind == NT_SAMPLES_WALL;
	snprintf(heading, sizeof(heading), "%s: %s, %s%s%zu of %zu, %s", subject->screen, key,
		 is_wall ? "by samples of wall time, managed only, " : "", shown < count ? "the first " : "", shown, count,
		 page->report->is_span ? "in the span" : "since attach");
	if (shown) {
		put_heading(page, heading);
		put_lines(page, text);
	}
	free(draft.text);
}

static void put_tables(const struct page *page)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (const struct nt_subject_list *list = nt_subjects[s]->lists; list && list->key; list++)
			put_table(page, nt_subjects[s], list->table);
}

/* The program's own stacks, which no other form has room for. */
static void put_flamegraph(const struct page *page)
{
	const struct nt_stacks *stacks = page->report->stacks;
	if (!is_html(page))
		return;
	put_heading(page, "CPU samples by call stack");
	if (stacks && stacks->tree->node_count) {
		nt_html_put_flamegraph(page->out, stacks);
		return;
	}
	const char *why = page->report->no_stacks ? page->report->no_stacks : "No CPU samples.";
	fputs("<p>", page->out);
	nt_html_put(page->out, why);
	fputs("</p>\n", page->out);
}

static void begin_page(const struct page *page)
{
	struct draft draft;
	if (!is_html(page))
		return;
	const struct nt_target_info *target = &nt_report_process(page->report)->target;
	begin(&draft);
	fputs("nettop report: ", draft.out);
	nt_text_print(draft.out, target->name);
	fprintf(draft.out, " (%" PRIu32 ")", target->pid);
	nt_html_begin(page->out, end(&draft));
	free(draft.text);
}

void nt_report_write(FILE *out, const struct nt_report *report, enum nt_report_form form)
{
	const struct page page = { .out = out, .report = report, .form = form };
	begin_page(&page);
	put_title(&page);
	put_findings(&page);
	put_section(&page, "Tiles", nt_report_put_tiles);
	put_section(&page, "Memory", nt_report_put_memory);
	put_section(&page, "GC settings", nt_report_put_gc_settings);
	put_flamegraph(&page);
	put_tables(&page);
	put_section(&page, "Threads", nt_report_put_threads);
	put_section(&page, "Sources", nt_report_put_sources);
	put_section(&page, "Settings", nt_report_put_settings);
	put_section(&page, "Loss", nt_report_put_loss);
	if (is_html(&page))
		nt_html_end(out);
}
