// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/log_news.h"

#include "nettop/log.h"
#include "nettop/rundown.h"

#include <string.h>

/* What the target has paid for names. */
static void tell_rundown(struct nt_ui *ui, const struct nt_snapshot *snapshot, nt_time now)
{
	char text[256];
	const struct nt_rundown *rundown = snapshot->process_count ? &snapshot->processes[0].rundown : NULL;
	if (!ui->config.log || !rundown || rundown->count == ui->rundowns_logged)
		return;
	ui->rundowns_logged = rundown->count;
	nt_rundown_text(rundown, text, sizeof(text));
	nt_log_add(ui->config.log, now, NT_LOG_NETTOP, text, strlen(text));
}

/* That the perf map is not there any more. */
static void tell_map(struct nt_ui *ui, const struct nt_snapshot *snapshot, nt_time now)
{
	for (size_t i = 0; ui->config.log && i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (row->id != NT_SOURCE_CODEMAP || row->state == ui->map_logged)
			continue;
		bool lost = ui->map_logged == NT_STATE_DELIVERING && row->state != NT_STATE_ENDED;
		ui->map_logged = row->state;
		if (lost && row->reason)
			nt_log_add(ui->config.log, now, NT_LOG_NETTOP, row->reason, strlen(row->reason));
	}
}

/* What is wrong with somebody's LTTng session, though it delivers. */
static void tell_lttng(struct nt_ui *ui, const struct nt_snapshot *snapshot, nt_time now)
{
	for (size_t i = 0; ui->config.log && i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (row->id != NT_SOURCE_LTTNG)
			continue;
		bool warns = row->state == NT_STATE_DELIVERING && row->reason;
		if (warns && !ui->lttng_logged)
			nt_log_add(ui->config.log, now, NT_LOG_NETTOP, row->reason, strlen(row->reason));
		ui->lttng_logged = warns;
	}
}

void nt_log_news(struct nt_ui *ui, const struct nt_snapshot *snapshot, nt_time now)
{
	tell_rundown(ui, snapshot, now);
	tell_map(ui, snapshot, now);
	tell_lttng(ui, snapshot, now);
}
