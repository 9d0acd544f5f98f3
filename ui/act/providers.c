// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/providers.h"

#include "ui/act/ui.h"
#include "ui/state/provider_choice.h"

#include <stdio.h>

unsigned nt_providers_choose(struct nt_ui *ui, size_t index, nt_time now)
{
	struct nt_provider_line line;
	nt_provider_at(ui, index, &line);
	if (line.is_another) {
		ui->prompt = NT_PROMPT_PROVIDER;
		ui->prompt_text[0] = '\0';
		return NT_UI_REDRAW;
	}
	if (nt_provider_turned(ui, index, ui->counters_wished, sizeof(ui->counters_wished)))
		return NT_UI_REDRAW | NT_UI_COUNTERS;
	nt_ui_message(ui, now, ui->counters_wished);
	return NT_UI_REDRAW;
}

unsigned nt_providers_named(struct nt_ui *ui, nt_time now)
{
	if (!*ui->prompt_text)
		return NT_UI_REDRAW;
	if (nt_provider_added(ui, ui->prompt_text, ui->counters_wished, sizeof(ui->counters_wished)))
		return NT_UI_REDRAW | NT_UI_COUNTERS;
	nt_ui_message(ui, now, "That is one name too many");
	return NT_UI_REDRAW;
}

const char *nt_ui_counters_wished(const struct nt_ui *ui)
{
	return ui->counters_wished;
}

void nt_ui_counters(struct nt_ui *ui, const char *counters)
{
	snprintf(ui->counters, sizeof(ui->counters), "%s", counters);
}
