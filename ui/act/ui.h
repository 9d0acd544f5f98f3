/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The screen as a value: snapshots and keys in, a grid of cells out. No terminal, no clock, no file.
 *
 * The view state (screen, cursor by row id, sort, filter, window, pause) lives here and nowhere else. What a key asks for that the screen
 * cannot do itself comes back as an effect, which src/app/ carries out. Main thread only.
 */
#ifndef NT_UI_UI_H
#define NT_UI_UI_H

#include "nettop/listing.h"
#include "nettop/log.h"
#include "ui/screen/grid.h"
#include "ui/screen/keys.h"

struct nt_ui;

struct nt_ui_config {
	bool list;                  /* the list of processes, in place of one: pid, name and perf_hz have no meaning */
	bool from_list;             /* this process was opened from the list: q goes back there */
	uint32_t pid;               /* shown until the first snapshot */
	const char *name;           /* likewise; NULL = not known. Copied */
	nt_time interval_ns;        /* now */
	int64_t realtime_offset_ns; /* nt_clock_realtime_offset(), for times of day */
	unsigned perf_hz;           /* sampling rate asked for, for line 1 until the source says what it is; 0 = not shown */
	bool sampling;              /* the runtime's own sampler is wanted, in place of perf */
	unsigned always;            /* enum nt_demand bits: what is collected whatever is shown */
	struct nt_log *log;         /* shown, and messages are added to it; borrowed for the ui's life, NULL = none */
};

/* What is to be done after a key, a snapshot or a tick: a set. */
enum nt_ui_effect {
	NT_UI_REDRAW = 1,  /* render and blit */
	NT_UI_REPAINT = 2, /* the same, but the terminal's content is not trusted: nt_term_repaint() first */
	NT_UI_QUIT = 4,
	NT_UI_SUSPEND = 8,    /* Ctrl-Z */
	NT_UI_INTERVAL = 16,  /* nt_ui_interval() changed */
	NT_UI_INTERRUPT = 64, /* Ctrl-C: quit, unless there is a program that it is meant for */
	NT_UI_OPEN = 128,     /* watch nt_ui_chosen_pid() */
	NT_UI_LIST = 256,     /* leave this process for the list */
	NT_UI_WRITE = 32,     /* carry out nt_ui_file_wish(), and say so or why not: nt_ui_message() */
};

/* What a person can have written to a file. The last ones are all call stacks of the snapshot. */
enum nt_file { NT_FILE_SCREEN, NT_FILE_FLAMEGRAPH, NT_FILE_FOLDED, NT_FILE_SPEEDSCOPE, NT_FILE_PPROF };

struct nt_file_wish {
	enum nt_file file;
	const char *name; /* as it was confirmed, a path; borrowed until the next key */
	bool suggested;   /* it is nettop's own: where that is there already, another one will do as well */
};

/* Owned by the caller. */
struct nt_ui *nt_ui_new(const struct nt_ui_config *config);
void nt_ui_free(struct nt_ui *ui); /* NULL is allowed; releases its snapshots */

/* The size of the grid that will be rendered into. Call before the first key, and when it changes. */
void nt_ui_resize(struct nt_ui *ui, int width, int height);

/* A new snapshot: retained here, and shown unless paused. Returns effects. */
unsigned nt_ui_snapshot(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now);

/* A key was typed. Returns effects. */
unsigned nt_ui_handle(struct nt_ui *ui, nt_key key, nt_time now);

/* Time passed: messages end after 5 s. Cheap; call on every wake-up. Returns effects. */
unsigned nt_ui_tick(struct nt_ui *ui, nt_time now);

/* The log has new lines. Returns effects. */
unsigned nt_ui_logged(const struct nt_ui *ui);

/* Say something in the context line for 5 s, and in the log. Copied and escaped. */
void nt_ui_message(struct nt_ui *ui, nt_time now, const char *text);

/* Of which method the code is on the screen: id of its struct nt_method_row; 0 = of none. */
uint64_t nt_ui_annotated(const struct nt_ui *ui);

/* What the present view needs: enum nt_demand bits. */
unsigned nt_ui_demand(const struct nt_ui *ui);

/* The length of an interval as the person wants it. */
nt_time nt_ui_interval(const struct nt_ui *ui);

/* The process that Enter was pressed on. Only after NT_UI_OPEN. */
uint32_t nt_ui_chosen_pid(const struct nt_ui *ui);

/* What is to be written, and where to. Only after NT_UI_WRITE. */
struct nt_file_wish nt_ui_file_wish(const struct nt_ui *ui);

/*
 * The present view in full: all rows that its filter leaves, in its order, with its columns. Only after NT_UI_WRITE. The caller's: end it with
 * nt_listing_fini(), before the next snapshot comes.
 */
void nt_ui_listing(const struct nt_ui *ui, struct nt_listing *out);

/* Draw everything. The grid takes the size given to nt_ui_resize(). Depends on nothing but what this ui was told. */
void nt_ui_render(const struct nt_ui *ui, struct nt_grid *grid);

#endif
