// SPDX-License-Identifier: GPL-2.0-only
/* Switches of the threads of a process that perf watches, as long as somebody looks at waits. */
#include "source/perf/perf_watch.h"

#include <stdio.h>
#include <string.h>

static void cover(struct nt_perf_watch *p, nt_time time, bool covered)
{
	nt_outbox_add(p->box, NT_EV_COVER, time, p->target->pid, 0)->u.cover =
		(struct nt_ev_cover){ .what = NT_WANT_SWITCHES, .covered = covered };
}

void nt_perf_switches_end(struct nt_perf_watch *p, nt_time time)
{
	nt_perf_opening_abandon(p->switch_opening);
	p->switch_opening = NULL;
	p->duty.share = 1;
	if (!p->switched)
		return;
	p->switched_paid_ns += nt_switch_watch_paid_ns(p->switched);
	nt_switch_watch_free(p->switched);
	p->switched = NULL;
	if (p->switches_told)
		cover(p, time, false);
	p->switches_told = false;
}

static void began(struct nt_perf_watch *p)
{
	p->switches_read = nt_clock_now();
	p->switches_told = true;
	cover(p, p->switches_read, true);
}

static void forget_why(struct nt_perf_watch *p)
{
	p->no_switches = (struct nt_probe){ 0 };
	p->why_no_switches = NT_NO_SWITCHES_SAID;
}

static enum nt_status open_them(struct nt_perf_watch *p, struct nt_error *err)
{
	enum nt_status status = nt_switch_watch_new(p->target, p->config, nt_perf_duty_limit_pct(p->config), false, &p->switched, err);
	if (status != NT_OK)
		return status;
	forget_why(p);
	began(p);
	return NT_OK;
}

enum nt_status nt_perf_switches_need(struct nt_perf_watch *p, struct nt_error *err)
{
	p->wants_switches = p->switches_turned = true;
	return p->switched ? NT_OK : open_them(p, err);
}

static void say_timed(struct nt_perf_watch *p, const char *by)
{
	size_t length = strlen(p->no_switches.reason);
	snprintf(p->no_switches.reason + length, sizeof(p->no_switches.reason) - length,
		 "; now timed by the kernel's records of %s: places by looks, no wakers and no run queue", by);
}

/* Where they are refused, nothing but their times may still be had: by events of the CPUs, or of the process's threads. */
static void begin(struct nt_perf_watch *p)
{
	struct nt_error err = { 0 };
	enum nt_status status = open_them(p, &err);
	if (status == NT_OK)
		return;
	p->why_no_switches = status == NT_ERR_FORBIDDEN ? NT_NO_SWITCHES_FORBIDDEN : NT_NO_SWITCHES_KERNEL;
	nt_error_reason(&err, p->no_switches.reason, sizeof(p->no_switches.reason));
	snprintf(p->no_switches.fix, sizeof(p->no_switches.fix), "%s", err.fix);
	if (nt_switch_watch_new_timed(p->target, nt_perf_duty_limit_pct(p->config), &p->switched) == NT_OK) {
		say_timed(p, "all switches of this machine");
		began(p);
		return;
	}
	const struct nt_perf_wish wish = { .hz = p->config->perf_hz, .switches = true, .of_tasks = true };
	nt_perf_opening_start(p->target, &wish, &p->switch_opening, NULL);
}

/* Where samples are of the threads, too, both may cost what one may elsewhere. */
static void look_at_opening(struct nt_perf_watch *p)
{
	struct nt_perf_attach *attach;
	enum nt_status status = nt_perf_opening_poll(&p->switch_opening, &attach, NULL);
	if (status != NT_OK)
		return;
	p->duty.share = p->attach->features.of_cpus ? 1 : 0.5;
	p->switched = nt_switch_watch_new_of_tasks(p->target, attach, nt_perf_duty_limit_pct(p->config), p->duty.share);
}

/* Nothing is told before all threads' switches are: who was born while the others were attached to may be heard of on some CPUs only. */
static bool look_whether_whole(struct nt_perf_watch *p, nt_time now)
{
	enum nt_status status = nt_switch_watch_whole(p->switched);
	if (status == NT_OK) {
		say_timed(p, "its threads' switches");
		began(p);
	} else if (status != NT_AGAIN) {
		nt_perf_switches_end(p, now);
	}
	return status == NT_OK;
}

/* What was refused, or too dear, is not tried again before somebody looks again. */
bool nt_perf_switches_turn(struct nt_perf_watch *p, nt_time now)
{
	if (p->in_round)
		return false;
	if (p->switches_turned != p->wants_switches) {
		p->switches_turned = p->wants_switches;
		if (p->wants_switches) {
			begin(p);
		} else {
			nt_perf_switches_end(p, now);
			forget_why(p);
		}
		return true;
	}
	if (p->switch_opening)
		look_at_opening(p);
	if (!p->switched)
		return false;
	if (!p->switches_told)
		return look_whether_whole(p, now);
	if (!nt_switch_watch_is_too_dear(p->switched, now, &p->no_switches))
		return false;
	p->why_no_switches = NT_NO_SWITCHES_DEAR;
	nt_perf_switches_end(p, now);
	return true;
}

void nt_perf_switches_read(struct nt_perf_watch *p, nt_time now)
{
	if (!p->switched)
		return;
	p->switches_missing = nt_switch_watch_read(p->switched, &p->queue);
	p->switches_from_before = p->switches_read;
	p->switches_read = now;
}

bool nt_perf_switches_gap(struct nt_perf_watch *p)
{
	if (!p->switches_told || !p->switches_missing)
		return false;
	const struct nt_ev_lost lost = {
		.count = p->switches_missing, .count_known = 1, .what = NT_LOST_EVENTS, .from = p->switches_from_before
	};
	nt_outbox_lost(p->box, p->switches_read, p->target->pid, &lost);
	cover(p, p->switches_from_before, false);
	cover(p, p->switches_read, true);
	p->switches_missing = 0;
	return true;
}
