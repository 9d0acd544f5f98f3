/* SPDX-License-Identifier: GPL-2.0-only */
/* What screens ask of a snapshot: who brings what, and what is out of its range. */
#ifndef NT_UI_VIEW_SNAPSHOT_H
#define NT_UI_VIEW_SNAPSHOT_H

#include "nettop/snapshot.h"
#include "ui/views/view.h"

/* The mark of a source: delivers, absent or forbidden, not wanted. */
const char *nt_source_mark(enum nt_source_state state);

/* What screens with call stacks of events (NT_WANT_STACKS) say of that. */
#define NT_VIEW_STACKS_ASKED "The target is asked for call stacks as long as this screen is open"
#define NT_VIEW_STACKS_LEFT  "The target is no longer asked for call stacks"

/* Is there nobody who could be asked for them? */
bool nt_view_needs_no_stacks(const struct nt_snapshot *snapshot);

/* Why something is not known that comes over EventPipe alone, whose row this is; NULL: there is none. */
void nt_nothing_without_eventpipe(const struct nt_source_row *eventpipe, struct nt_nothing *out);

/* Is a finding about this subject? */
bool nt_view_out_of_range(const struct nt_process_snapshot *process, enum nt_subject_id subject);

#endif
