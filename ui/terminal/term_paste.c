// SPDX-License-Identifier: GPL-2.0-only
#include "ui/terminal/term_paste.h"

#include "base/text.h"

enum nt_paste_step nt_paste_take(struct nt_paste *paste, nt_key key, nt_time now)
{
	bool is_mark = key == NT_KEY_PASTE_BEGIN || key == NT_KEY_PASTE_END;
	if (paste->at && now > paste->at + NT_PASTE_PAUSE_NS)
		paste->at = 0;
	if (!paste->at && !is_mark)
		return NT_PASTE_IS_KEY;
	paste->at = key == NT_KEY_PASTE_END ? 0 : now;
	return is_mark || key >= NT_KEY_NONE || nt_text_is_control(key) ? NT_PASTE_DROPPED : NT_PASTE_IS_TEXT;
}
