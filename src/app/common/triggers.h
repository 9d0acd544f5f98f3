/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is to be done when a condition comes true (--on): one grammar for figures and findings.
 *
 *	gc.pause>200ms=mark,exit	a figure of JSON, with or without the ending of its name (of several: the most, _max_ns, first), and a limit in whichever unit
 *	gc.pause_pct>=90%		no action: mark
 *	finding=mark,bell		any finding
 *	finding.pool_starvation=exit	this one
 *	exit=record			the process has ended
 *
 * It is looked at for each interval, and acts when it holds that did not in the one before. What is not known holds nothing.
 */
#ifndef NT_APP_TRIGGERS_H
#define NT_APP_TRIGGERS_H

#include "nettop/snapshot.h"
#include "nettop/subject.h"

enum nt_trigger_action {
	NT_TRIGGER_MARK = 1, /* say it: on standard error, on the screen in the log */
	NT_TRIGGER_BELL = 2,
	NT_TRIGGER_SAVE = 4,    /* the interval as a line of JSON, in a file in this folder */
	NT_TRIGGER_EXIT = 8,    /* with an exit status of its own */
	NT_TRIGGER_RECORD = 16, /* what --flight keeps becomes a recording in this folder */
};

enum nt_trigger_limit { NT_TRIGGER_ABOVE, NT_TRIGGER_AT_LEAST, NT_TRIGGER_BELOW, NT_TRIGGER_AT_MOST };

enum { NT_TRIGGERS_MAX = 8, NT_TRIGGER_TEXT = 320 };

struct nt_trigger {
	const struct nt_figure *figure; /* NULL: findings, or the end */
	bool of_end;                    /* the process has ended */
	bool any_finding;
	enum nt_finding_kind finding;
	enum nt_trigger_limit limit;
	double value;     /* in the unit of the figure's name */
	unsigned actions; /* enum nt_trigger_action */
	bool held;        /* in the last interval */
	bool judged;      /* its figure was known in one interval at least; findings are always */
	uint64_t unknown; /* in so many intervals in a row, up to the last one, it was not */
};

/* USAGE, with the sentence. */
enum nt_status nt_trigger_parse(const char *text, struct nt_trigger *out, struct nt_error *err);

/* Does it come true in this interval? Then `said` is a sentence: `gc.pause_max_ns 231ms, over 200ms`. */
bool nt_trigger_fires(struct nt_trigger *trigger, const struct nt_snapshot *snapshot, char said[NT_TRIGGER_TEXT]);

#endif
