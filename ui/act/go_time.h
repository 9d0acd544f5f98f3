/* SPDX-License-Identifier: GPL-2.0-only */
/* Stopping the picture, and going back to intervals that are over. Measuring goes on. */
#ifndef NT_UI_GO_TIME_H
#define NT_UI_GO_TIME_H

#include "ui/screen/keys.h"
#include "ui/state/state.h"

/* Stands still, or is live again. Returns effects. */
unsigned nt_go_pause(struct nt_ui *ui, nt_time now);

/* By an interval or a minute, back or on: NT_DO_BACK ... NT_DO_MINUTE_ON; NT_DO_DIFFERENCE: one span against another one. Returns effects. */
unsigned nt_go_in_time(struct nt_ui *ui, enum nt_action action, nt_time now);

/* That very interval, in a pause. Returns effects. */
unsigned nt_go_to_interval(struct nt_ui *ui, uint64_t sequence);

/* What was typed at key t: to the interval in which that time lies. Returns effects. */
unsigned nt_go_to_time(struct nt_ui *ui, const char *text, nt_time now);

/* Keys , and . of a recording. Returns effects. */
unsigned nt_go_speed(struct nt_ui *ui, bool faster, nt_time now);

/* Key z: count from what is shown on. Returns effects. */
unsigned nt_go_zero(struct nt_ui *ui, nt_time now);

/* On the screen of time: the cell that is looked at, where a span begins, and that it is to be shown. 0: the key is another one's. Returns effects. */
unsigned nt_go_heat(struct nt_ui *ui, nt_key key, enum nt_action action, nt_time now);

#endif
