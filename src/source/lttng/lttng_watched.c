// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_watched.h"

#include "base/alloc.h"
#include "source/common/inner_tids.h"
#include "target/process/target.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

void nt_lttng_watched_add(struct nt_lttng_watched_list *list, const struct nt_target *target, bool is_known)
{
	struct nt_lttng_watched watched = { .pid_ns = nt_inner_tids_namespace(target->proc_dir),
					    .proc_dir = nt_strdup(target->proc_dir),
					    .pidfd = -1 };
	if (is_known) {
		watched.pid = target->pid;
		watched.vpid = target->ns_pid;
		watched.pidfd = target->pidfd >= 0 ? fcntl(target->pidfd, F_DUPFD_CLOEXEC, 0) : -1;
	}
	list->items = nt_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = watched;
}

static void drop(struct nt_lttng_watched *watched)
{
	nt_inner_tids_free(watched->tids);
	if (watched->pidfd >= 0)
		close(watched->pidfd);
	free(watched->proc_dir);
}

void nt_lttng_watched_remove(struct nt_lttng_watched_list *list, size_t index)
{
	drop(&list->items[index]);
	list->items[index] = list->items[--list->count];
}

void nt_lttng_watched_fini(struct nt_lttng_watched_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		drop(&list->items[i]);
	free(list->items);
	*list = (struct nt_lttng_watched_list){ 0 };
}

void nt_lttng_watched_learn(struct nt_lttng_watched_list *list, uint32_t pid)
{
	list->items[0].pid = list->items[0].vpid = pid;
	list->items[0].pidfd = pidfd_open((pid_t)pid, 0);
}

bool nt_lttng_watched_all_ended(const struct nt_lttng_watched_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->items[i].ended && !list->items[i].over)
			return false;
	return true;
}

const struct nt_lttng_watched *nt_lttng_watched_next(const struct nt_lttng_watched_list *list, size_t *at)
{
	while (*at < list->count && list->items[*at].over)
		++*at;
	return *at < list->count ? &list->items[(*at)++] : NULL;
}
