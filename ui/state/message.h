/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said to the person in the context line. */
#ifndef NT_UI_MESSAGE_H
#define NT_UI_MESSAGE_H

#include "nettop/clock.h"

struct nt_ui;

/* Say something in the context line for 5 s, and in the log. Copied and escaped. */
void nt_ui_message(struct nt_ui *ui, nt_time now, const char *text);

#endif
