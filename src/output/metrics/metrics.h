/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/metrics: figures for those who gather them from many programs. */
/*
 * What a snapshot of processes says, as metrics: families, each with its points. Names, kinds and units follow from the table of subjects (nettop/subject.h), so that a new figure is a new metric;
 * who writes them in which form is the sink's.
 *
 * A counter is since nettop came, everything else of the newest interval. What is not known has no point; why it is not, is a metric of its own (nettop_unknown_info).
 */
#ifndef NT_OUTPUT_METRICS_H
#define NT_OUTPUT_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/snapshot.h"

enum nt_metric_type {
	NT_METRIC_COUNTER, /* only grows, from its value's `since` on */
	NT_METRIC_GAUGE,
	NT_METRIC_INFO, /* says something by its labels: its value is 1 */
};

struct nt_metric_family {
	const char *name; /* [a-z][a-z0-9_]*, with its unit, without what OpenMetrics has for the type (_total, _info) */
	const char *unit; /* seconds, bytes, ratio; "" = it is a number of things */
	const char *help; /* may have any characters but controls */
	enum nt_metric_type type;
};

/* Texts that a program chose: who writes them escapes them. */
struct nt_metric_label {
	const char *key, *value;
};

/* How many a point has at most, and as how many bytes the value of one is written. */
enum { NT_METRIC_LABELS_MAX = 6, NT_METRIC_LABEL_BYTES = 256 };

enum nt_metric_form {
	NT_METRIC_WHOLE,       /* `whole` */
	NT_METRIC_NANOSECONDS, /* `whole`, of a family of seconds */
	NT_METRIC_REAL,        /* `real`; finite */
};

struct nt_metric_value {
	enum nt_metric_form form;
	nt_time since; /* of a counter: when it was 0 */
	union {
		uint64_t whole;
		double real;
	};
};

/* All texts are borrowed for the call. A family is told before its points, and only if it has one; all of its points follow it. */
struct nt_metric_sink {
	void *context;
	void (*family)(void *context, const struct nt_metric_family *family);
	void (*point)(void *context, const struct nt_metric_label *labels, size_t count, struct nt_metric_value value);
};

/* More processes than these have no points; nettop_processes_left_out says how many. */
enum { NT_METRIC_PROCESSES_MAX = 500 };

/* What is known of nettop itself besides what is in the snapshot. */
struct nt_metrics_own {
	const char *version;
	const char *host;                                       /* the machine's name; NULL = not known */
	uint64_t served_count, server_end_count, server_cpu_ns; /* of its server: texts made, how often its process has ended, CPU time */
	bool sends;                                             /* to a collector: */
	uint64_t sent_count, dropped_count, waiting_count;      /* requests that it has taken, that it will not get, that wait */
};

void nt_metrics_tell(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, const struct nt_metric_sink *sink);

/*
 * The name of a figure's family, and its unit, by its key: `gc` `pause_ns` is nettop_gc_pause_seconds. False: it is none, but a text or an identity (hottest_tid).
 */
enum { NT_METRIC_NAME_BYTES = 96 };
bool nt_metric_of_figure(const struct nt_figure *figure, char name[NT_METRIC_NAME_BYTES], const char **unit);

#endif
