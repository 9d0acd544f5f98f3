/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where only events of tasks are allowed, each context switch of the target costs it NT_PRICE_TASK_SWITCH as long as they count. So they count a part of the time only:
 * as much as the target's switches and a limit for their price allow. A sample tells of as many as the whole cycle would have given.
 */
#ifndef NT_SOURCE_PERF_DUTY_H
#define NT_SOURCE_PERF_DUTY_H

#include "nettop/source.h"
#include "source/common/price.h"

#include <stdbool.h>
#include <stdint.h>

enum { NT_PERF_DUTY_ON_MS = 50, NT_PERF_DUTY_MOST = 100 };

struct nt_perf_duty {
	uint64_t price_ns; /* of each context switch; the owner may know better than the table */
	double limit;      /* of the target's CPU time; 1 = there is none */
	double share;      /* of the limit: the rest is for something else that is paid at the same time */
	double whole;      /* what they would cost if they always counted, as a part of the CPU time without them; < 0 = not known */
	unsigned parts;    /* one of so many parts of the time they count; 1 = always */
	bool on;           /* they count now */
	nt_time turn;      /* when that changes; only with more than one part */
	uint64_t paid_ns;  /* for switches, so far */
	uint64_t last_ns;  /* of that, between the last two looks */
	uint64_t cpu_ns, switches;
	nt_time looked; /* 0 = never */
};

/* How much of the target's CPU time watching may cost it: as asked for, or 5 %. */
static inline unsigned nt_perf_duty_limit_pct(const struct nt_source_config *config)
{
	enum { UNLESS_ASKED = 5 };
	return config->max_target_cost_pct ? config->max_target_cost_pct : UNLESS_ASKED;
}

void nt_perf_duty_init(struct nt_perf_duty *duty, enum nt_price price, unsigned limit_pct);

/* The target's sums so far. Call it about once a second. True: `parts` is another number from now on. */
bool nt_perf_duty_look(struct nt_perf_duty *duty, uint64_t cpu_ns, uint64_t switches, nt_time now);

/* Of what has no parts: the last look saw more than the limit. Not of a program that rests most of the time and switches a little: that is a large part of next to nothing. */
bool nt_perf_duty_is_too_dear(const struct nt_perf_duty *duty);

/* As reason and fix: that they count a part of the time, and why; that there are no more of them, after so long. */
void nt_perf_duty_say(const struct nt_perf_duty *duty, bool user_only, struct nt_probe *out);
void nt_perf_duty_say_dear(const struct nt_perf_duty *duty, const char *what, struct nt_probe *out); /* how much: goes on after `what` */
void nt_perf_duty_say_ended(const struct nt_perf_duty *duty, nt_time after_ns, struct nt_probe *out);

/* True: `on` has changed, and the caller does so with the events. */
bool nt_perf_duty_turn(struct nt_perf_duty *duty, nt_time now);

#endif
