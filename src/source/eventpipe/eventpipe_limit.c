// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_limit.h"

#include <stdio.h>
#include <time.h>

enum { LOOK_MS = 1000, LOOKS = 2, UNLESS_ASKED_PCT = 5, NO_LIMIT_PCT = 100 };

/* Paid in a second: below, it is no matter, however little of a CPU the process uses. 1 % of a CPU. */
static const double no_matter_ns = 10 * (double)NT_NS_PER_MS;

bool nt_eventpipe_limit_look(struct nt_eventpipe_limit *limit, uint64_t paid_ns, uint64_t cpu_ns, unsigned most_pct, nt_time now)
{
	if (limit->dear_pct > 0)
		return true;
	if (limit->looked && now < limit->looked + LOOK_MS * NT_NS_PER_MS)
		return false;
	bool first = !limit->looked;
	double paid = (double)(paid_ns - limit->paid_ns), used = (double)(cpu_ns > limit->cpu_ns ? cpu_ns - limit->cpu_ns : 0);
	double seconds = (double)(now - limit->looked) / (double)NT_NS_PER_S;
	limit->looked = now;
	limit->paid_ns = paid_ns;
	limit->cpu_ns = cpu_ns;
	if (first)
		return false;
	most_pct = most_pct ? most_pct : UNLESS_ASKED_PCT;
	/* What was paid is in the CPU time that was used. */
	double pct = 100 * paid / (used > 2 * paid ? used - paid : used / 2 + 1);
	bool over = most_pct < NO_LIMIT_PCT && paid >= no_matter_ns * seconds && pct > most_pct;
	limit->over_count = over ? limit->over_count + 1 : 0;
	if (limit->over_count < LOOKS)
		return false;
	limit->dear_pct = pct;
	return true;
}

uint64_t nt_eventpipe_limit_cpu_ns(uint32_t pid)
{
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid((pid_t)pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return 0;
	return (uint64_t)time.tv_sec * NT_NS_PER_S + (uint64_t)time.tv_nsec;
}

bool nt_eventpipe_limit_is_over(struct nt_eventpipe_limit *limit, uint64_t paid_ns, uint32_t pid, unsigned most_pct, nt_time now)
{
	return nt_eventpipe_limit_look(limit, paid_ns, nt_eventpipe_limit_cpu_ns(pid), most_pct, now);
}

static double pct_shown(const struct nt_eventpipe_limit *limit)
{
	return limit->dear_pct < NO_LIMIT_PCT ? limit->dear_pct : NO_LIMIT_PCT;
}

enum nt_status nt_eventpipe_limit_refuse(const struct nt_eventpipe_limit *limit, const char *over, struct nt_error *err)
{
	nt_error_set(err, NT_ERR_UNSUPPORTED,
		     "so many events came%s that they cost the process ~%.0f %% of its CPU time: their session was ended", over,
		     pct_shown(limit));
	nt_error_set_fix(err, "name less of them with -e, or allow more with --max-target-cost PCT");
	return NT_ERR_UNSUPPORTED;
}

void nt_eventpipe_limit_tell(const struct nt_eventpipe_limit *limit, const char *what, struct nt_probe *out)
{
	*out = (struct nt_probe){ .result = NT_PROBE_FORBIDDEN };
	double enough = limit->dear_pct + 1 < NO_LIMIT_PCT ? limit->dear_pct + 1 : NO_LIMIT_PCT;
	snprintf(out->reason, sizeof(out->reason),
		 "%s are no longer told: there are so many that it costs the process ~%.0f %% of its CPU time", what, pct_shown(limit));
	snprintf(out->fix, sizeof(out->fix), "open the screen again when there are less, or start nettop with --max-target-cost %.0f",
		 enough);
}
