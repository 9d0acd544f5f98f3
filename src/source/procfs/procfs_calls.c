// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_calls.h"

#include <stdio.h>

static void say_none(struct nt_procfs_calls *calls, uint32_t pid, const struct nt_probe *why, struct nt_outbox *box)
{
	struct nt_event *event = nt_outbox_add(box, NT_EV_CALLS_TOLD, nt_clock_now(), pid, 0);
	event->u.calls_told = (struct nt_ev_calls_told){ .from = event->time };
	if (why) {
		event->u.calls_told.reason = nt_outbox_str(box, why->reason);
		event->u.calls_told.fix = nt_outbox_str(box, why->fix);
	}
	calls->told = why != NULL;
}

static void end(struct nt_procfs_calls *calls)
{
	nt_calls_watch_free(calls->watch);
	calls->watch = NULL;
}

void nt_procfs_calls_fini(struct nt_procfs_calls *calls)
{
	end(calls);
}

void nt_procfs_calls_want(struct nt_procfs_calls *calls, bool wanted)
{
	calls->wanted = wanted;
}

/* What was refused, or too dear, is not tried again before somebody asks again. */
static void begin(struct nt_procfs_calls *calls, const struct nt_target *target, const struct nt_source_config *config,
		  struct nt_outbox *box)
{
	struct nt_error err = { 0 };
	struct nt_probe why = { .result = NT_PROBE_FORBIDDEN };
	calls->turned = true;
	if (nt_calls_watch_new(target, config, &calls->watch, &err) == NT_OK)
		return;
	nt_error_reason(&err, why.reason, sizeof(why.reason));
	snprintf(why.fix, sizeof(why.fix), "%s", err.fix);
	say_none(calls, target->pid, &why, box);
}

static void tell(struct nt_procfs_calls *calls, const struct nt_target *target, int dir_fd, uint64_t cpu_ns, bool last,
		 struct nt_outbox *box)
{
	struct nt_probe why = { .result = NT_PROBE_FORBIDDEN };
	uint64_t before = nt_calls_watch_paid_ns(calls->watch);
	nt_calls_watch_tell(calls->watch, dir_fd, cpu_ns, last, box);
	calls->told = true;
	box->stats.price_ns += nt_calls_watch_paid_ns(calls->watch) - before;
	if (last || !nt_calls_watch_is_too_dear(calls->watch, &why))
		return;
	end(calls);
	say_none(calls, target->pid, &why, box);
}

void nt_procfs_calls_step(struct nt_procfs_calls *calls, const struct nt_target *target, const struct nt_source_config *config, int dir_fd,
			  uint64_t cpu_ns, bool due, bool last, struct nt_outbox *box)
{
	if (calls->wanted && !calls->turned && !last)
		begin(calls, target, config, box);
	if (calls->watch && (due || last || !calls->wanted))
		tell(calls, target, dir_fd, cpu_ns, last || !calls->wanted, box);
	if (calls->wanted)
		return;
	end(calls);
	if (calls->told)
		say_none(calls, target->pid, NULL, box);
	calls->turned = false;
}
