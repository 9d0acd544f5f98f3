/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/state: what is looked at, and the questions to that. */
/* The view state: what ui/act changes and ui/draw reads. Private to ui/. */
#ifndef NT_UI_STATE_H
#define NT_UI_STATE_H

#include "nettop/dump_kind.h"
#include "ui/calls/calls.h"
#include "ui/rows/restrict.h"
#include "ui/rows/rows.h"
#include "ui/rows/zero.h"
#include "ui/state/config.h"
#include "ui/state/effects.h"
#include "ui/state/heat_choice.h"
#include "ui/state/timeline.h"
#include "ui/views/placement.h"
#include "ui/views/views.h"

enum { NT_COUNTER_NAMES_BYTES = 2560, NT_PROMPT_BYTES = NT_FILTER_BYTES, NT_MESSAGE_BYTES = 512 };

/* What has the keys besides the table. */
enum nt_prompt {
	NT_PROMPT_NONE,
	NT_PROMPT_FILTER,
	NT_PROMPT_DELAY,
	NT_PROMPT_TIME,
	NT_PROMPT_RESTRICT,
	NT_PROMPT_FILE,
	NT_PROMPT_PROVIDER,
	NT_PROMPT_EVENTS
};
enum nt_overlay {
	NT_OVERLAY_NONE,
	NT_OVERLAY_HELP,
	NT_OVERLAY_LOG,
	NT_OVERLAY_STACKS,
	NT_OVERLAY_PURPOSES,
	NT_OVERLAY_TIME,
	NT_OVERLAY_MEMORY,
	NT_OVERLAY_HEAP,
	NT_OVERLAY_DUMP,
	NT_OVERLAY_SORT,
	NT_OVERLAY_COLUMNS,
	NT_OVERLAY_WRITE,
	NT_OVERLAY_PROVIDERS,
	NT_OVERLAY_THEMES
};

/* How far a recording is. Of one that breaks off its writer has not ended it, or it is damaged. */
enum nt_play { NT_PLAY_GOES_ON, NT_PLAY_IS_OVER, NT_PLAY_BREAKS_OFF };

/* A second one on the same row, soon, is Enter. */
struct nt_click {
	nt_time at;  /* 0 = there was none */
	uint64_t id; /* of the row */
};

/* One screen's own part. */
struct nt_table_state {
	uint64_t columns;             /* the set that is shown */
	const struct nt_column *sort; /* NULL: the table's own order */
	bool ascending;
	struct nt_filter filter;
	unsigned hide; /* enum nt_hide bits */
	bool follow;
	bool detail; /* Enter: one row in full */
	struct nt_ui_rows rows;
	uint64_t cursor_id;
	size_t cursor; /* index in rows */
	bool moved;    /* false: the cursor stays at the top row, whatever that is */
	size_t top;    /* index of the first row on the screen */
};

struct nt_ui {
	struct nt_ui_config config;
	char *name;            /* owned; NULL = not known */
	enum nt_header header; /* as chosen */
	struct nt_layout layout;
	struct nt_placement placement;

	struct nt_snapshot *live;  /* retained; NULL before the first */
	struct nt_snapshot *shown; /* retained; differs from live while paused */
	bool paused;
	enum nt_play play;          /* of a recording */
	struct nt_ui_moment moment; /* that was wished for */
	bool is_span;               /* what is shown is a span that was chosen: a long interval */
	nt_time past_from;          /* t1 and sequence of the oldest interval that is kept; 0 = there is none */
	uint64_t past_first;
	nt_time exact_from; /* samples of intervals that ended before are told apart by NT_SAMPLES_FOLDED_NS only; 0 = all are exact */
	struct nt_timeline timeline;
	struct nt_heat_choice heat;
	uint64_t heat_last;                 /* the last interval that the heat map has a column for: sequence */
	struct nt_time_place pressed;       /* where on the screen of time the mouse's button is held down; first = 0: nowhere */
	int pressed_x, pressed_y;           /* the cell of it: what is there moves on meanwhile */
	nt_time against_from, against_to;   /* the span that others are compared with; against_to = 0: there is none */
	bool against_ended;                 /* it is of the process before this one */
	struct nt_process_snapshot process; /* the shown one, counted from the zero on; valid with `shown` */
	bool has_process;
	bool begun;           /* a whole interval has been shown, as long as intervals were then */
	struct nt_zero *zero; /* owned; NULL = since attach */
	enum nt_window window;
	bool raw_names;
	bool native;                       /* frames of native code are shown in stacks of threads that wait */
	struct nt_restriction restriction; /* of the methods */
	struct nt_restricted restricted;   /* `process` under it; valid when there is one */
	size_t restricted_from;            /* the view from which it was entered */

	struct nt_calls calls; /* the call tree; `process` has its rows while it is shown */

	uint64_t annotated;    /* on the screen of the code: of which method */
	size_t annotated_from; /* the view from which it was entered */

	uint64_t rundowns_logged;
	enum nt_source_state map_logged; /* the state of the code map, as the log knows it */
	bool lttng_logged;               /* the log has what is wrong with the LTTng session that delivers */

	bool on_finding; /* key ! has been to one: */
	enum nt_finding_kind finding;

	struct nt_settings settings;          /* as they were, of what is not here */
	size_t groupings_shown[NT_VIEW_TABS]; /* of each tab, the last one */

	size_t view;
	struct nt_table_state tables[NT_VIEW_COUNT];
	nt_time cursor_moved_at;
	int page_top;    /* first line of detail, help, log or stacks */
	bool log_at_end; /* the log stays at its newest line instead */

	char events[NT_PROMPT_BYTES]; /* which are chosen, as they were typed; "" = none */

	char *heap_text;     /* owned; what is said of the heap: lines; NULL = nothing yet */
	bool heap_can_begin; /* Enter begins a look at it */

	char *dump_text;             /* owned; what is said of a dump: lines; NULL = nothing yet */
	enum nt_dump_kind dump_kind; /* that was chosen */
	bool dump_can_begin;         /* Enter has it written */
	bool dump_goes_on;           /* it is being written: no kind can be chosen */

	enum nt_overlay overlay;
	size_t menu_cursor,
		menu_top; /* in a menu: the line that is looked at, and, but for a screen that has become smaller, the first one shown */
	struct nt_click clicked; /* the last click on a row */
	enum nt_prompt prompt;
	char prompt_text[NT_PROMPT_BYTES];

	struct nt_ui_tape tape; /* what is written down of the process */

	enum nt_file file;               /* key w: what to write, */
	char file_name[NT_PROMPT_BYTES]; /* and where to: what is suggested, then what was confirmed */
	bool file_is_suggested;

	char counters[NT_COUNTER_NAMES_BYTES];        /* whom the target is asked for counters: ui/state/provider_choice.h */
	char counters_wished[NT_COUNTER_NAMES_BYTES]; /* likewise, until app/ has said that it is so */

	char message[NT_MESSAGE_BYTES]; /* "" = none */
	nt_time message_until;
};

static inline const struct nt_view *nt_ui_view(const struct nt_ui *ui)
{
	return nt_views[ui->view];
}

static inline const struct nt_table_state *nt_ui_table(const struct nt_ui *ui)
{
	return &ui->tables[ui->view];
}

/* Does a page lie over the table of whatever screen? (A detail belongs to its screen.) */
static inline bool nt_ui_has_page(const struct nt_ui *ui)
{
	return ui->overlay == NT_OVERLAY_HELP || ui->overlay == NT_OVERLAY_LOG || ui->overlay == NT_OVERLAY_STACKS ||
	       ui->overlay == NT_OVERLAY_PURPOSES || ui->overlay == NT_OVERLAY_TIME || ui->overlay == NT_OVERLAY_MEMORY ||
	       ui->overlay == NT_OVERLAY_HEAP || ui->overlay == NT_OVERLAY_DUMP;
}

/* Are stacks of threads that wait on the screen? */
bool nt_ui_has_waiting_stacks(const struct nt_ui *ui);

static inline struct nt_table_state *nt_ui_mutable_table(struct nt_ui *ui)
{
	return &ui->tables[ui->view];
}

/* The row under the cursor; NULL = there is none. */
static inline const void *nt_ui_selected_row(const struct nt_ui *ui)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	return table->cursor < table->rows.count ? table->rows.refs[table->cursor].row : NULL;
}

/* Is there anything that rows could be of? */
static inline bool nt_ui_has_rows(const struct nt_ui *ui)
{
	return ui->has_process || (ui->config.list && ui->shown);
}

static inline bool nt_ui_is_restricted(const struct nt_ui *ui)
{
	return ui->view == NT_VIEW_METHODS && ui->restriction.part != NT_PART_ALL;
}

/* Is it a grouping of the waits, by their places or otherwise? */
static inline bool nt_ui_is_of_waits(const struct nt_ui *ui)
{
	return ui->view == NT_VIEW_WAITS || (ui->view >= NT_VIEW_WAIT_WALL && ui->view <= NT_VIEW_WAIT_REASONS);
}

/* Is it a grouping of the events? */
static inline bool nt_ui_is_of_events(const struct nt_ui *ui)
{
	return ui->view == NT_VIEW_EVENTS || ui->view == NT_VIEW_EVENT_RATES;
}

/* Are there other groupings of the same rows? */
static inline bool nt_ui_has_groupings(const struct nt_ui *ui)
{
	return nt_views_groupings(ui->view) != NULL;
}

/* The tab of the present screen: the call tree lies behind the methods, all groupings of the same rows are one tab. */
static inline size_t nt_ui_tab(const struct nt_ui *ui)
{
	const size_t *groupings = nt_views_groupings(ui->view);
	return groupings ? groupings[0] : ui->view == NT_VIEW_CALLS ? NT_VIEW_METHODS : ui->view;
}

/* Are its figures of the last intervals only? */
static inline bool nt_ui_is_recent_only(const struct nt_ui *ui)
{
	return ui->view == NT_VIEW_CALLS || (nt_ui_is_restricted(ui) && nt_part_is_hottest(ui->restriction.part));
}

/* Of which time the figures are: a span is an interval, before which nothing counts. */
static inline enum nt_window nt_ui_window(const struct nt_ui *ui)
{
	enum nt_window window = nt_ui_is_recent_only(ui) ? NT_WINDOW_RECENT : ui->window;
	return window == NT_WINDOW_RECENT && ui->is_span ? NT_WINDOW_INTERVAL : window;
}

/* Do the figures count from the zero on? What was shown before it is not, nor is a span. */
static inline bool nt_ui_is_from_zero(const struct nt_ui *ui)
{
	return ui->zero && !ui->is_span && ui->shown && ui->shown->t1 >= nt_zero_time(ui->zero);
}

static inline struct nt_column_context nt_ui_context(const struct nt_ui *ui)
{
	bool restricted = nt_ui_is_restricted(ui);
	return (struct nt_column_context){ .snapshot = ui->shown,
					   .process = restricted ? &ui->restricted.process : &ui->process,
					   .window = nt_ui_window(ui),
					   .raw_names = ui->raw_names,
					   .folds = true,
					   .is_span = ui->is_span,
					   .is_over = ui->paused || ui->config.recording,
					   .is_recorded = ui->config.recording,
					   .always = ui->config.always,
					   .realtime_offset_ns = ui->config.realtime_offset_ns };
}

/* Is a recording shown, and what the action does asks the process something, or other processes? What was recorded is all that there is. */
bool nt_ui_has_nobody_to_ask(const struct nt_ui *ui, enum nt_action action);

/* Lines that the view's panel takes between tab bar and table. */
int nt_ui_panel_height(const struct nt_ui *ui);

/* Cells of what stands beside the table on this screen; 0 = nothing does. The table has the rest, but for one cell between them. */
int nt_ui_side_width(const struct nt_ui *ui);

/* Lines left to the rows, at least 1. */
int nt_ui_rows_height(const struct nt_ui *ui);

/* The columns of the present view, as far as a screen can be wide enough, in its order. Returns how many. */
size_t nt_ui_columns(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX]);

/* All that it has, whether they are chosen or not, likewise; and the bit of one in the set that is shown. */
size_t nt_ui_all_columns(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX]);
uint64_t nt_ui_column_bit(const struct nt_ui *ui, const struct nt_column *column);

/* Those that can be sorted by, likewise. */
size_t nt_ui_sortable(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX]);

/* Time of day hh:mm:ss of a monotonic time, local. */
const char *nt_ui_clock(const struct nt_ui *ui, nt_time time, char *buf, size_t size);

#endif
