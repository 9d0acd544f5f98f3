// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/purposes_page.h"

#include "nettop/subject.h"
#include "ui/screen/line.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32 };

/* As the table of the subject has it of its samples, without saying that it is of those. */
static const char *meaning_of(enum nt_purpose purpose)
{
	static const char begins[] = "CPU samples in ";
	size_t offset = offsetof(struct nt_figures, cpu.purposes) + offsetof(struct nt_purpose_figures, samples[0]) +
			purpose * sizeof(struct nt_u64);
	for (size_t i = 0; i < nt_subject_cpu.figure_count; i++)
		if (nt_subject_cpu.figures[i].offset == offset)
			return nt_subject_cpu.figures[i].help + sizeof(begins) - 1;
	return "";
}

static void add_pct(struct nt_line *line, struct nt_f64 pct)
{
	if (pct.known)
		nt_line_add(line, " %6.1f%%", pct.v);
	else
		nt_line_add(line, " %7s", "");
}

/* `counted`: the time whose samples are given as a number, too. */
static void add_row(const struct nt_process_snapshot *process, const struct nt_purpose_figures *counted, enum nt_purpose purpose,
		    bool compact, struct nt_page *page)
{
	struct nt_line line = { 0 };
	char number[NUMBER];
	nt_line_add(&line, "  %-10s", nt_purpose_name(purpose));
	add_pct(&line, process->window_purpose_pct[purpose]);
	add_pct(&line, process->total.cpu.purposes.pct[purpose]);
	nt_line_add(&line, " %8s  ",
		    counted->samples[purpose].known ? nt_format_whole(counted->samples[purpose].v, number, sizeof(number)) : "");
	bool any = counted->samples[purpose].known && counted->samples[purpose].v;
	nt_page_text(page, any ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text, compact ? "" : meaning_of(purpose));
}

static int compare(const void *a, const void *b, void *context)
{
	const struct nt_process_snapshot *process = context;
	const enum nt_purpose x = *(const enum nt_purpose *)a, y = *(const enum nt_purpose *)b;
	double pct_x = process->window_purpose_pct[x].v, pct_y = process->window_purpose_pct[y].v;
	return pct_x != pct_y ? pct_x > pct_y ? -1 : 1 : x < y ? -1 : x > y;
}

/* Why there is none: in a span that has parts of intervals nobody knows what its samples were for. */
static void put_none(const struct nt_ui *ui, struct nt_page *page)
{
	const char *reason = ui->has_process && ui->is_span ? ui->process.interval.cpu.why.reason : NULL;
	if (reason)
		nt_page_text(page, NT_STYLE_PLAIN, "  Not known of this span: ", reason);
	else
		nt_page_line(page, NT_STYLE_PLAIN, "  No CPU samples.");
}

void nt_purposes_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	struct nt_process_snapshot process = ui->process;
	const struct nt_purpose_figures *counted = ui->is_span ? &process.interval.cpu.purposes : &process.total.cpu.purposes;
	enum nt_purpose order[NT_PURPOSE_COUNT];
	struct nt_line titles = { 0 };
	if (!ui->has_process || !counted->samples[0].known) {
		put_none(ui, page);
		return;
	}
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		order[i] = (enum nt_purpose)i;
	qsort_r(order, NT_PURPOSE_COUNT, sizeof(order[0]), compare, &process);
	nt_line_add(&titles, "  %-10s %7s %7s %8s", "", ui->is_span ? "span" : "lately", nt_ui_is_from_zero(ui) ? "zero on" : "attach",
		    ui->is_span ? "in span" : "samples");
	nt_page_line(page, NT_STYLE_DIM, titles.text);
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		add_row(&process, counted, order[i], ui->layout.compact, page);
}
