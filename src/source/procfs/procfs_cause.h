/* SPDX-License-Identifier: GPL-2.0-only */
/* Of what the target died: its exit status, and the exception that nobody caught. */
#ifndef NT_SOURCE_PROCFS_CAUSE_H
#define NT_SOURCE_PROCFS_CAUSE_H

#include "source/common/outbox.h"
#include "source/crash/last_look.h"

struct nt_procfs_cause {
	struct nt_last_look *look;  /* owned; NULL = nobody looks */
	char reason[NT_ERROR_TEXT]; /* why */
	bool same_namespace;        /* its threads have the ids that it sees itself */
};

/* Begin to look. Quick. */
void nt_procfs_cause_init(struct nt_procfs_cause *cause, const struct nt_target *target);
void nt_procfs_cause_fini(struct nt_procfs_cause *cause);

/* From time to time, while it lives: one that survives an abort is looked at again at the next. */
void nt_procfs_cause_go_on(struct nt_procfs_cause *cause);

/* The target has ended with this status, as wait(2) gives it; NULL = it is not known. Adds to its TARGET event, the last one of the box. */
void nt_procfs_cause_tell(struct nt_procfs_cause *cause, const int *wait_status, struct nt_outbox *box, struct nt_event *event);

#endif
