/* SPDX-License-Identifier: GPL-2.0-only */
/* What keys do while something is asked for in the last line. */
#ifndef NT_UI_PROMPT_KEYS_H
#define NT_UI_PROMPT_KEYS_H

#include "ui/state/state.h"

/* Ask, with what was said last where that is known. Returns effects. */
unsigned nt_prompt_open(struct nt_ui *ui, enum nt_prompt prompt);

/* While ui->prompt is not NT_PROMPT_NONE. Returns effects. */
unsigned nt_prompt_handle(struct nt_ui *ui, nt_key key, nt_time now);

/* A character was pasted: text where some is asked for, and never a key. Returns effects. */
unsigned nt_prompt_paste(struct nt_ui *ui, nt_key character, nt_time now);

#endif
