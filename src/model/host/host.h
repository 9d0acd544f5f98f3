/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/host: the machine and the control groups: what the process was not given. */
/*
 * Readings of the machine and of control groups: what lies between two of them is an interval's. Readings do not wait for their interval: the newest counts. One
 * that goes back is of another group, or of another machine: its sums begin anew.
 */
#ifndef NT_MODEL_HOST_H
#define NT_MODEL_HOST_H

#include "base/texts.h"
#include "model/common/span.h"
#include "nettop/event.h"
#include "nettop/snapshot.h"

/* time 0: there was none. */
struct nt_host_reading {
	nt_time time;
	struct nt_ev_host values;
};

struct nt_cgroup_reading {
	nt_time time;
	struct nt_ev_cgroup values;
};

struct nt_host {
	struct nt_host_reading first, closed, newest;
	struct nt_cgroup_reading first_group, closed_group, newest_group;
	const char *other_name; /* the table's; NULL = none */
};

void nt_host_init(struct nt_host *host);

/* A HOST and a CGROUP event. other_name: the table's, NULL = none. */
void nt_host_machine(struct nt_host *host, nt_time time, const struct nt_ev_host *reading, const char *other_name);
void nt_host_group(struct nt_host *host, nt_time time, const struct nt_ev_cgroup *reading);

/* Fill the figures, those of the target's CPU time being known, and start the next interval. */
void nt_host_close(struct nt_host *host, const struct nt_span *span, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_host_each_text(const struct nt_host *host, nt_text_visit *visit, void *context);

#endif
