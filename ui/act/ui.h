/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/act: keys and snapshots -> state and effects. */
/*
 * The screen as a value: snapshots and keys in, a grid of cells out. No terminal, no clock, no file.
 *
 * The view state (screen, cursor by row id, sort, filter, window, pause) lives in ui/state and nowhere else. What a key asks for that the screen
 * cannot do itself comes back as an effect, which src/app/ carries out. Main thread only.
 */
#ifndef NT_UI_UI_H
#define NT_UI_UI_H

#include "nettop/dump_kind.h"
#include "nettop/snapshot.h"
#include "ui/draw/render.h"
#include "ui/draw/view_listing.h"
#include "ui/screen/keys.h"
#include "ui/state/config.h"
#include "ui/state/effects.h"
#include "ui/state/message.h"

/* Owned by the caller. */
struct nt_ui *nt_ui_new(const struct nt_ui_config *config);
void nt_ui_free(struct nt_ui *ui); /* NULL is allowed; releases its snapshots */

/* The size of the grid that will be rendered into. Call before the first key, and when it changes. */
void nt_ui_resize(struct nt_ui *ui, int width, int height);

/* Back in time: what is wished for, and that snapshot, which is retained; the screen stands still at it. Returns effects. */
struct nt_ui_moment nt_ui_moment_wished(const struct nt_ui *ui);
unsigned nt_ui_go_back(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now);

/* What key = kept on the last screen of the process before this one, others are compared with here; false: it has kept nothing. */
bool nt_ui_take_kept(struct nt_ui *ui, const struct nt_ui *ended);

/* How far back one can go: sequence and t1 of the oldest interval; samples of intervals that ended before `exact_from` are folded (nt_interval_samples.folded_from), 0 = none are. */
void nt_ui_past(struct nt_ui *ui, uint64_t first, nt_time from, nt_time exact_from);

/* A new snapshot: retained here, and shown unless paused. Returns effects. */
unsigned nt_ui_snapshot(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now);

/* A key was typed. Returns effects. */
unsigned nt_ui_handle(struct nt_ui *ui, nt_key key, nt_time now);

/* Time passed: messages end after 5 s. Cheap; call on every wake-up. Returns effects. */
unsigned nt_ui_tick(struct nt_ui *ui, nt_time now);

/* The log has new lines. Returns effects. */
unsigned nt_ui_logged(const struct nt_ui *ui);

/* Of which method the code is on the screen: id of its struct nt_method_row; 0 = of none. */
uint64_t nt_ui_annotated(const struct nt_ui *ui);

/* What the present view needs: enum nt_demand bits. */
unsigned nt_ui_demand(const struct nt_ui *ui);

/* What is chosen on this screen, into what was chosen on others: the list of processes knows of its own table only. */
void nt_ui_settings(const struct nt_ui *ui, struct nt_settings *out);

/* Of a recording: so many times as fast as it was; does the screen stand still? */
double nt_ui_speed(const struct nt_ui *ui);
bool nt_ui_is_paused(const struct nt_ui *ui);

/* Of a recording: there is nothing more of it; `whole`: it was ended by who wrote it. Returns effects. */
unsigned nt_ui_play_is_over(struct nt_ui *ui, bool whole);

/* Of a recording: it is replayed from its begin once more. What is shown stays until then. */
void nt_ui_play_anew(struct nt_ui *ui);

/* The length of an interval as the person wants it. */
nt_time nt_ui_interval(const struct nt_ui *ui);

/* The process that Enter was pressed on, in a snapshot of the screen; NULL = there is no row any more. Only after NT_UI_OPEN. */
const struct nt_process_row *nt_ui_chosen_process(const struct nt_ui *ui);

/* What is said of the heap: lines, which are copied. `can_begin`: Enter begins a look. Returns effects. */
unsigned nt_ui_heap(struct nt_ui *ui, const char *text, bool can_begin);

/* What is said of a dump: lines, which are copied. `can_begin`: Enter has it written; `goes_on`: it is being. Returns effects. */
unsigned nt_ui_dump(struct nt_ui *ui, const char *text, bool can_begin, bool goes_on);

/* Which one is wanted. */
enum nt_dump_kind nt_ui_dump_kind(const struct nt_ui *ui);

/* Whom the target shall be asked for counters, as --counters has it. Only after NT_UI_COUNTERS; borrowed until the next key. */
const char *nt_ui_counters_wished(const struct nt_ui *ui);

/* It is asked for these from now on. */
void nt_ui_counters(struct nt_ui *ui, const char *counters);

/* Which events are chosen, as they were typed; "" = none: those that there are anyway. Borrowed until the next key. Only after NT_UI_EVENTS. */
const char *nt_ui_events_wish(const struct nt_ui *ui);

/* What is written down of the process, from now on. */
void nt_ui_tape(struct nt_ui *ui, const struct nt_ui_tape *tape);

/* What is to be written, and where to. Only after NT_UI_WRITE. */
struct nt_file_wish nt_ui_file_wish(const struct nt_ui *ui);

#endif
