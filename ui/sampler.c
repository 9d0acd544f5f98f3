// SPDX-License-Identifier: GPL-2.0-only
#include "ui/sampler.h"

#include <string.h>

static unsigned say(struct nt_ui *ui, nt_time now, const char *text)
{
	nt_ui_message(ui, now, text);
	return NT_UI_REDRAW;
}

static bool perf_delivers(const struct nt_ui *ui)
{
	const struct nt_source_row *perf = ui->live ? nt_view_source(ui->live, NT_SOURCE_PERF) : NULL;
	return perf && perf->state == NT_STATE_DELIVERING;
}

/* Why there can be no session; NULL = there can. */
static const char *objection(const struct nt_ui *ui)
{
	const struct nt_source_row *eventpipe = ui->live ? nt_view_source(ui->live, NT_SOURCE_EVENTPIPE) : NULL;
	if (ui->config.no_eventpipe)
		return ui->config.no_eventpipe;
	if (!eventpipe)
		return "the sources are being opened";
	switch (eventpipe->state) {
	case NT_STATE_ABSENT:
	case NT_STATE_FORBIDDEN:
		return eventpipe->reason ? eventpipe->reason : "EventPipe is not there";
	case NT_STATE_ENDED:
		return "the process has ended";
	default:
		return NULL;
	}
}

unsigned nt_sampler_key(struct nt_ui *ui, nt_time now)
{
	struct nt_line line = { 0 };
	if (ui->sampling) {
		ui->sampling = false;
		return say(ui, now, "The runtime's sampler ends; what it has seen stays until CPU samples come");
	}
	if (perf_delivers(ui))
		return say(ui, now, "perf's CPU samples are better: S is for where there are none");
	if (objection(ui)) {
		nt_line_add(&line, "No sampler: %s", objection(ui));
		return say(ui, now, line.text);
	}
	ui->prompt = NT_PROMPT_SAMPLER;
	ui->prompt_text[0] = '\0';
	return NT_UI_REDRAW;
}

void nt_sampler_question(int width, struct nt_line *out)
{
	/* The longest that fits. */
	static const char *const questions[] = {
		"Start the runtime's own sampler (wall time, managed code)? It stops all managed threads " NT_PRICE_WALL_SAMPLES,
		"Start the runtime's sampler? Stops all threads " NT_PRICE_WALL_SAMPLES_SHORT ": y n",
		"Sampler: " NT_PRICE_WALL_SAMPLES_SHORT "? y n",
	};
	size_t index = 0, last = sizeof(questions) / sizeof(*questions) - 1;
	while (index < last && (int)strlen(questions[index]) + 1 > width)
		index++;
	nt_line_add(out, "%s", questions[index]);
}

unsigned nt_sampler_answer(struct nt_ui *ui, nt_key key, nt_time now)
{
	if (key != 'y' && key != 'Y')
		return say(ui, now, "Not started");
	ui->sampling = true;
	return say(ui, now, "The runtime's sampler is started; S ends it");
}

void nt_sampler_see(struct nt_ui *ui, nt_time now)
{
	if (!ui->sampling || !perf_delivers(ui))
		return;
	ui->sampling = false;
	nt_ui_message(ui, now, "perf delivers: the runtime's sampler ends");
}
