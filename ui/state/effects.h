/* SPDX-License-Identifier: GPL-2.0-only */
/* What a key, a snapshot or a tick asks for that the screen cannot do itself: src/app/ carries it out. */
#ifndef NT_UI_EFFECTS_H
#define NT_UI_EFFECTS_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stdint.h>

/* What is to be done after a key, a snapshot or a tick: a set. */
enum nt_ui_effect {
	NT_UI_REDRAW = 1,  /* render and blit */
	NT_UI_REPAINT = 2, /* the same, but the terminal's content is not trusted: nt_term_repaint() first */
	NT_UI_QUIT = 4,
	NT_UI_SUSPEND = 8,         /* Ctrl-Z */
	NT_UI_INTERVAL = 16,       /* nt_ui_interval() changed */
	NT_UI_INTERRUPT = 64,      /* Ctrl-C: quit, unless there is a program that it is meant for */
	NT_UI_OPEN = 128,          /* watch nt_ui_chosen_process() */
	NT_UI_LIST = 256,          /* leave this process for the list */
	NT_UI_HEAP = 512,          /* the heap's page was opened: nt_ui_heap() is told what a look would do, and what the last one saw */
	NT_UI_HEAP_BEGIN = 1024,   /* look at the heap */
	NT_UI_HEAP_HOLDERS = 4096, /* besides: and at who holds what is in it */
	NT_UI_HEAP_END = 2048,     /* that page was left: end a look that is not over */
	NT_UI_DUMP = 8192,         /* the page of dumps was opened, or another kind chosen: nt_ui_dump() is told what that would do */
	NT_UI_DUMP_BEGIN = 16384,  /* have it written */
	NT_UI_DUMP_LEFT = 32768,   /* that page was left: nothing is begun; what is being written goes on */
	NT_UI_COUNTERS = 65536,    /* ask for nt_ui_counters_wished(); nt_ui_counters() is told when it is so, nt_ui_message() why not */
	NT_UI_EVENTS = 131072,     /* other events are chosen: carry out nt_ui_events_wish(), or say why not: nt_ui_message() */
	NT_UI_SAVE = 262144,       /* keep nt_ui_settings(), and say so or why not: nt_ui_message() */
	NT_UI_THEME = 524288,      /* other colours: those of nt_ui_settings() */
	NT_UI_BEFORE = 1048576, /* the last screen of the process before this one, or back from it; nt_ui_message() where there is none */
	NT_UI_MOMENT =
		2097152, /* back in time: nt_ui_go_back() is given the snapshot of nt_ui_moment_wished(), or nt_ui_message() says why not */
	NT_UI_FURTHER = 4194304, /* of a recording: on without a pause up to nt_ui_moment_wished(), which nt_ui_go_back() is given then */
	NT_UI_ANEW = 8388608,    /* likewise, but that lies before all that is kept of the recording: it is replayed anew up to there */
	NT_UI_WRITE = 32,        /* carry out nt_ui_file_wish(), and say so or why not: nt_ui_message() */
};

/* What a person can have written to a file. RECORDING is all from now on, until NO_RECORDING; LAST_MINUTES what is kept of all. The last ones are all call stacks of the snapshot; those before them a report of the time shown: as text, Markdown, and a page. */
enum nt_file {
	NT_FILE_SCREEN,
	NT_FILE_JSON,
	NT_FILE_RECORDING,
	NT_FILE_NO_RECORDING,
	NT_FILE_LAST_MINUTES,
	NT_FILE_REPORT,
	NT_FILE_REPORT_MARKDOWN,
	NT_FILE_REPORT_PAGE,
	NT_FILE_FLAMEGRAPH,
	NT_FILE_FOLDED,
	NT_FILE_SPEEDSCOPE,
	NT_FILE_PPROF
};

static inline bool nt_file_is_report(enum nt_file file)
{
	return file >= NT_FILE_REPORT && file <= NT_FILE_REPORT_PAGE;
}

static inline bool nt_file_is_recording(enum nt_file file)
{
	return file >= NT_FILE_RECORDING && file <= NT_FILE_LAST_MINUTES;
}

struct nt_file_wish {
	enum nt_file file;
	const char *name; /* as it was confirmed, a path; borrowed until the next key */
	bool suggested;   /* it is nettop's own: where that is there already, another one will do as well */
};

/* What is written down of the process. */
struct nt_ui_tape {
	bool records;    /* all of it, now */
	uint64_t bytes;  /* so much of that is in the file */
	nt_time kept_ns; /* of so much time all is kept in memory; 0 = of none */
};

/* An interval that is over. */
struct nt_ui_moment {
	nt_time from, to;                 /* a span, that is more or less than one; to = 0: it is not, but */
	nt_time against_from, against_to; /* besides: the span that it is compared with; against_to = 0: with none */
	bool against_ended;               /* that one is of the process before this one */
	nt_time time;      /* the last one that ended then or before, or the first that there is; 0 = that with the sequence */
	uint64_t sequence; /* besides a time: this one or a later one */
	bool calls;        /* with its call tree, which takes longer; a span has it anyway */
};

#endif
