// SPDX-License-Identifier: GPL-2.0-only
#include "ui/terminal/term_paste.h"

#include "base/text.h"

/* What is usual in a text. Whoever tries to get out with Escape or Ctrl-C does not make a paste last that has no end. */
static bool is_of_text(nt_key key)
{
	return (key < NT_KEY_NONE && !nt_text_is_control(key)) || key == NT_KEY_ENTER || key == '\r' || key == '\n' || key == '\t';
}

enum nt_paste_step nt_paste_take(struct nt_paste *paste, nt_key key, nt_time now)
{
	bool is_mark = key == NT_KEY_PASTE_BEGIN || key == NT_KEY_PASTE_END;
	if (paste->at && now > paste->at + NT_PASTE_PAUSE_NS)
		paste->at = 0;
	if (!paste->at && !is_mark)
		return NT_PASTE_IS_KEY;
	if (key == NT_KEY_PASTE_END)
		paste->at = 0;
	else if (key == NT_KEY_PASTE_BEGIN || is_of_text(key))
		paste->at = now;
	return is_mark || key >= NT_KEY_NONE || nt_text_is_control(key) ? NT_PASTE_DROPPED : NT_PASTE_IS_TEXT;
}
