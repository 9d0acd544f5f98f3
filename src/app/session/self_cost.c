// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/self_cost.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "nettop/clock.h"
#include "source/lttng/lttng.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

struct nt_self_cost {
	const struct nt_keeper *keeper; /* borrowed */
	pid_t keeper_pid;               /* whose keeper_fd is */
	int keeper_fd;                  /* /proc/KEEPER/schedstat; -1 = not readable */
	uint64_t keeper_ns;             /* when it was last read */
	uint64_t before_ns;             /* what keepers had used that were replaced */
	int statm_fd;
	uint64_t page_bytes;
};

static void open_keeper(struct nt_self_cost *cost, pid_t pid)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	cost->keeper_pid = pid;
	cost->keeper_fd = open(path, O_RDONLY | O_CLOEXEC);
}

struct nt_self_cost *nt_self_cost_new(const struct nt_keeper *keeper)
{
	struct nt_self_cost *cost = nt_alloc(sizeof(*cost));
	cost->keeper = keeper;
	open_keeper(cost, nt_keeper_pid(keeper));
	cost->statm_fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	cost->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	return cost;
}

void nt_self_cost_free(struct nt_self_cost *cost)
{
	if (!cost)
		return;
	if (cost->keeper_fd >= 0)
		close(cost->keeper_fd);
	if (cost->statm_fd >= 0)
		close(cost->statm_fd);
	free(cost);
}

/* The field-th number (from 0) of a file of /proc; 0 when it cannot be read. */
static uint64_t read_number(int fd, int field)
{
	char text[256];
	ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	char *at = text;
	uint64_t number = strtoull(at, &at, 10);
	while (field-- > 0)
		number = strtoull(at, &at, 10);
	return number;
}

/* That of all keepers so far. */
static uint64_t keeper_ns(struct nt_self_cost *cost)
{
	if (nt_keeper_pid(cost->keeper) != cost->keeper_pid) {
		if (cost->keeper_fd >= 0)
			close(cost->keeper_fd);
		cost->before_ns += cost->keeper_ns;
		cost->keeper_ns = 0;
		open_keeper(cost, nt_keeper_pid(cost->keeper));
	}
	uint64_t now = read_number(cost->keeper_fd, 0);
	if (now) /* 0: it has just ended */
		cost->keeper_ns = now;
	return cost->before_ns + cost->keeper_ns;
}

static uint64_t timeval_ns(struct timeval tv)
{
	return (uint64_t)tv.tv_sec * NT_NS_PER_S + (uint64_t)tv.tv_usec * NT_NS_PER_US;
}

void nt_self_cost_read(struct nt_self_cost *cost, struct nt_ev_self *out)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	out->self_ns = timeval_ns(usage.ru_utime) + timeval_ns(usage.ru_stime) + keeper_ns(cost) + nt_apart_cpu_ns();
	out->rss_bytes = read_number(cost->statm_fd, 1) * cost->page_bytes;
}

static void add_daemons(struct nt_source *source, struct nt_ev_self *out)
{
	bool known = false;
	out->daemons_ns += nt_lttng_daemons_cpu_ns(source, &known);
	out->daemons_known = known;
}

void nt_self_cost_add(const struct nt_source_ops *ops, struct nt_source *source, struct nt_ev_self *out)
{
	struct nt_source_stats stats = { 0 };
	if (ops->id == NT_SOURCE_LTTNG)
		add_daemons(source, out);
	ops->stats(source, &stats);
	out->self_ns += stats.helper_cpu_ns;
	out->rss_bytes += stats.helper_bytes;
	out->target_ns += stats.price_ns;
	out->target_known &= !stats.price_unknown;
}
