// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/show.h"

#include "ui/state/death.h"
#include "ui/state/select.h"

/* Tiles out of their range besides CPU and GC, which are always there. */
static int marked_tiles(const struct nt_ui *ui)
{
	unsigned marked = 0;
	for (size_t i = 0; ui->has_process && i < ui->process.finding_count; i++)
		marked |= 1u << ui->process.findings[i].headline;
	return __builtin_popcount(marked & ~(1u << NT_SUBJECT_CPU | 1u << NT_SUBJECT_GC));
}

void nt_ui_relayout(struct nt_ui *ui)
{
	enum nt_header header = ui->config.list ? NT_HEADER_LIST : ui->header;
	nt_layout_of(ui->layout.width, ui->layout.height, header, marked_tiles(ui), &ui->layout);
	ui->layout.no_sparks = ui->settings.slow;
	nt_layout_add_end(&ui->layout, nt_death_lines(ui));
}

void nt_ui_hold(struct nt_snapshot **place, struct nt_snapshot *snapshot)
{
	nt_snapshot_retain(snapshot);
	nt_snapshot_release(*place);
	*place = snapshot;
}

void nt_ui_restrict(struct nt_ui *ui)
{
	if (ui->has_process && ui->restriction.part != NT_PART_ALL)
		nt_restrict(&ui->restriction, &ui->process, ui->is_span, &ui->restricted);
}

/* Until the next snapshot, and as long as a pause, there may be the code of the method that was looked at before: it is not that of this one, of which the name is known. */
static void leave_out_other_code(struct nt_ui *ui)
{
	if (ui->process.annotation.method == ui->annotated)
		return;
	ui->process.annotation = (struct nt_annotation){ 0 };
	ui->process.instruction_count = 0;
	for (size_t i = 0; i < ui->process.method_count; i++) {
		const struct nt_method_row *row = &ui->process.methods[i];
		if (row->id != ui->annotated)
			continue;
		ui->process.annotation.name = row->name;
		ui->process.annotation.raw_name = row->raw_name;
	}
}

void nt_ui_show(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now)
{
	nt_ui_hold(&ui->shown, snapshot);
	ui->has_process = snapshot->process_count > 0 && !ui->config.list;
	if (ui->has_process)
		ui->process = nt_ui_is_from_zero(ui) ? nt_zero_apply(ui->zero, &snapshot->processes[0]) : snapshot->processes[0];
	leave_out_other_code(ui);
	nt_ui_restrict(ui);
	nt_ui_relayout(ui);
	nt_heat_follow(ui);
	nt_select_refresh(ui, false, now);
	ui->begun |= snapshot->t1 - snapshot->start >= ui->config.interval_ns / 10 * 9;
}
