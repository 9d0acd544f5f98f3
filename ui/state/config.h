/* SPDX-License-Identifier: GPL-2.0-only */
/* What a screen is told when it begins. */
#ifndef NT_UI_CONFIG_H
#define NT_UI_CONFIG_H

#include "nettop/clock.h"
#include "nettop/column.h"
#include "nettop/log.h"
#include "ui/state/screen_settings.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_ui_config {
	bool list;                  /* the list of processes, in place of one: pid, name and perf_hz have no meaning */
	bool watched;               /* with `list`: of processes that are watched, with the headlines of their tiles */
	bool from_list;             /* this process was opened from the list: q goes back there */
	bool recording;             /* it is one that is shown: there is nobody who could be asked */
	double speed;               /* of a recording: so many times as fast as it was */
	uint32_t pid;               /* shown until the first snapshot */
	const char *name;           /* likewise; NULL = not known. Copied */
	nt_time interval_ns;        /* now */
	int64_t realtime_offset_ns; /* nt_clock_realtime_offset(), for times of day */
	int64_t said_ahead_ns;      /* what to add besides to the times of messages: those of a recording are of another clock */
	unsigned perf_hz;           /* sampling rate asked for, for line 1 until the source says what it is; 0 = not shown */
	bool sampling;              /* the runtime's own sampler is wanted, in place of perf */
	bool wall;                  /* it begins with the wall time of all threads */
	const char *counters;       /* whom the target is asked for counters, as --counters has it; NULL = nobody was named. Copied */
	const char *events;         /* which are chosen for the screen of events; NULL = none. Copied */
	const struct nt_column *const
		*sorts; /* as in struct nt_column_context: by which the tables stand at first; NULL = as usual. Borrowed for the call */
	const struct nt_settings *settings; /* what was chosen before; NULL = nothing was. Borrowed for the call */
	unsigned always;                    /* enum nt_demand bits: what is collected whatever is shown */
	struct nt_log *log;                 /* shown, and messages are added to it; borrowed for the ui's life, NULL = none */
};

#endif
