/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of a counter with its tags, made to fit. */
#ifndef NT_UI_COUNTER_LABEL_H
#define NT_UI_COUNTER_LABEL_H

#include "nettop/snapshot.h"
#include "ui/screen/line.h"

enum { NT_COUNTER_LEAST_NAME = 12 };

/*
 * Name and tags in `room` cells. Where there are other series of the same instrument, of the tags those that differ between them; without room for these only their
 * values, and of these what tells the row from its neighbours. Where there are none, all tags if they fit.
 */
void nt_counter_label(const struct nt_process_snapshot *process, const struct nt_counter_row *row, int room, char *out, size_t size);

/* `http.route=/cart, method=GET`: the tags of the row that differ between the series of its instrument. */
void nt_counter_differing_tags(const struct nt_counter_row *row, struct nt_line *out);

#endif
