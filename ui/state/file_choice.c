// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/file_choice.h"

/* Where a choice is offered. */
enum where { EVERYWHERE, CALL_TREE, OF_A_PROCESS, NOT_RECORDING, RECORDING, KEEPING };

static const struct offer {
	enum where where;
	struct nt_file_choice choice;
} offers[] = {
	{ EVERYWHERE, { NT_FILE_SCREEN, "txt", "this screen", "the header and all rows that the filter leaves, as text" } },
	{ OF_A_PROCESS, { NT_FILE_JSON, "json", "interval", "all figures and rows of the interval shown, as --json has them" } },
	{ CALL_TREE, { NT_FILE_FLAMEGRAPH, "svg", "flame graph", "all call stacks of the time shown, for a browser" } },
	{ CALL_TREE, { NT_FILE_FOLDED, "folded", "folded", "the same, for flamegraph.pl" } },
	{ CALL_TREE, { NT_FILE_SPEEDSCOPE, "speedscope.json", "speedscope", "the same, for speedscope.app" } },
	{ CALL_TREE, { NT_FILE_PPROF, "pb", "pprof", "the same, for go tool pprof" } },
	{ OF_A_PROCESS, { NT_FILE_REPORT, "txt", "report", "what was found, and why, with the first rows of each table, as text" } },
	{ OF_A_PROCESS, { NT_FILE_REPORT_MARKDOWN, "md", "Markdown", "the same, to be pasted" } },
	{ OF_A_PROCESS, { NT_FILE_REPORT_PAGE, "html", "page", "the same, for a browser; of a span with its flame graph" } },
	{ NOT_RECORDING, { NT_FILE_RECORDING, "nettop", "recording", "all of the process from now on, for nettop replay" } },
	{ RECORDING, { NT_FILE_NO_RECORDING, NULL, "no recording", "the recording that goes on ends here" } },
	{ KEEPING, { NT_FILE_LAST_MINUTES, "nettop", "last minutes", "all of the process that --flight keeps, for nettop replay" } },
};

enum { OFFERS = sizeof(offers) / sizeof(offers[0]) };

static bool is_offered(const struct nt_ui *ui, const struct offer *offer)
{
	switch (offer->where) {
	case CALL_TREE: /* a span has its stacks wherever one looks at it */
		return ui->view == NT_VIEW_CALLS || ui->is_span;
	case OF_A_PROCESS:
		return !ui->config.list;
	case NOT_RECORDING: /* what is a recording is in a file already */
		return !ui->config.list && !ui->config.recording && !ui->tape.records;
	case RECORDING:
		return ui->tape.records;
	case KEEPING:
		return !ui->config.list && !ui->config.recording;
	default:
		return true;
	}
}

const struct nt_file_choice *nt_file_choice_at(const struct nt_ui *ui, size_t index)
{
	for (size_t i = 0; i < OFFERS; i++)
		if (is_offered(ui, &offers[i]) && index-- == 0)
			return &offers[i].choice;
	return NULL;
}

size_t nt_file_choice_count(const struct nt_ui *ui)
{
	size_t count = 0;
	while (nt_file_choice_at(ui, count))
		count++;
	return count;
}
