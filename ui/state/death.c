// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/death.h"

#include "base/text.h"

#include <signal.h>

bool nt_death_is_in_doubt(const struct nt_target_end *end)
{
	return !nt_end_is_told(end) && end->reason && end->signal.known && end->signal.v == SIGABRT;
}

const struct nt_target_end *nt_death_of(const struct nt_ui *ui)
{
	const struct nt_target_info *target = &ui->process.target;
	return ui->has_process && target->ended && (nt_end_is_told(&target->end) || nt_death_is_in_doubt(&target->end)) ? &target->end
															: NULL;
}

int nt_death_stack_lines(const struct nt_target_end *end)
{
	const char *text = end->stack;
	int count = 0;
	size_t length;
	for (const char *line; nt_text_next_line(&text, &line, &length);)
		count++;
	return count;
}

int nt_death_lines(const struct nt_ui *ui)
{
	const struct nt_target_end *end = nt_death_of(ui);
	return end ? 1 + nt_death_stack_lines(end) + (!nt_death_is_in_doubt(end) && end->reason ? 1 : 0) : 0;
}
