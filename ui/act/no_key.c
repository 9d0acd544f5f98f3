// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/no_key.h"

#include "ui/screen/habits.h"
#include "ui/state/message.h"

unsigned nt_no_key(struct nt_ui *ui, nt_key key, nt_time now)
{
	const char *word = nt_key_action(key) == NT_DO_NOTHING ? nt_habit_word(key) : NULL;
	nt_ui_message(ui, now, word ? word : "No such key here; ? shows all");
	return NT_UI_REDRAW;
}
