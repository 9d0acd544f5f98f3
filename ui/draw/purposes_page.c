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

static void add_row(const struct nt_process_snapshot *process, enum nt_purpose purpose, bool compact, struct nt_page *page)
{
	const struct nt_purpose_figures *total = &process->total.cpu.purposes;
	struct nt_line line = { 0 };
	char number[NUMBER];
	nt_line_add(&line, "  %-10s", nt_purpose_name(purpose));
	add_pct(&line, process->window_purpose_pct[purpose]);
	add_pct(&line, total->pct[purpose]);
	nt_line_add(&line, " %8s  ",
		    total->samples[purpose].known ? nt_format_whole(total->samples[purpose].v, number, sizeof(number)) : "");
	bool any = total->samples[purpose].known && total->samples[purpose].v;
	nt_page_text(page, any ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text, compact ? "" : meaning_of(purpose));
}

static int compare(const void *a, const void *b, void *context)
{
	const struct nt_process_snapshot *process = context;
	const enum nt_purpose x = *(const enum nt_purpose *)a, y = *(const enum nt_purpose *)b;
	double pct_x = process->window_purpose_pct[x].v, pct_y = process->window_purpose_pct[y].v;
	return pct_x != pct_y ? pct_x > pct_y ? -1 : 1 : x < y ? -1 : x > y;
}

void nt_purposes_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	struct nt_process_snapshot process = ui->process;
	enum nt_purpose order[NT_PURPOSE_COUNT];
	struct nt_line titles = { 0 };
	if (!ui->has_process || !process.total.cpu.purposes.samples[0].known) {
		nt_page_line(page, NT_STYLE_PLAIN, "  No CPU samples.");
		return;
	}
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		order[i] = (enum nt_purpose)i;
	qsort_r(order, NT_PURPOSE_COUNT, sizeof(order[0]), compare, &process);
	nt_line_add(&titles, "  %-10s %7s %7s %8s", "", "lately", ui->zero ? "zero on" : "attach", "samples");
	nt_page_line(page, NT_STYLE_DIM, titles.text);
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		add_row(&process, order[i], ui->layout.compact, page);
}
