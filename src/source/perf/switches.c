// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switches.h"

#include "base/alloc.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/tids.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void nt_switches_fini(struct nt_switches *switches)
{
	free(switches->threads);
	*switches = (struct nt_switches){ 0 };
}

static bool read_thread(const char *proc_dir, struct nt_switches_thread *thread)
{
	char path[4096], text[96];
	snprintf(path, sizeof(path), "%s/task/%d/schedstat", proc_dir, (int)thread->tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text));
	if (fd >= 0)
		close(fd);
	struct nt_procfs_schedstat stat;
	if (length <= 0 || !nt_procfs_schedstat_parse(text, (size_t)length, &stat))
		return false;
	thread->cpu_ns = stat.cpu_ns;
	thread->count = stat.count;
	return thread->count != 0;
}

/* What it has done since the last reading; all it has ever done when it was not there yet. */
static void add(struct nt_switches *switches, const struct nt_switches_thread *thread, size_t *at)
{
	while (*at < switches->thread_count && switches->threads[*at].tid < thread->tid)
		++*at;
	struct nt_switches_thread before = { 0 };
	if (*at < switches->thread_count && switches->threads[*at].tid == thread->tid)
		before = switches->threads[*at];
	if (thread->cpu_ns < before.cpu_ns || thread->count < before.count)
		return; /* its number again */
	switches->cpu_ns += thread->cpu_ns - before.cpu_ns;
	switches->count += thread->count - before.count;
}

bool nt_switches_read(struct nt_switches *switches, const char *proc_dir)
{
	struct nt_tids tids = { 0 };
	if (nt_tids_list(&tids, proc_dir) != 0)
		return false;
	struct nt_switches_thread *now = nt_realloc(NULL, tids.count + 1, sizeof(*now));
	size_t count = 0, at = 0;
	for (size_t i = 0; i < tids.count; i++) {
		now[count] = (struct nt_switches_thread){ .tid = tids.tids[i] };
		if (!read_thread(proc_dir, &now[count]))
			continue;
		if (switches->known)
			add(switches, &now[count], &at);
		count++;
	}
	nt_tids_fini(&tids);
	free(switches->threads);
	switches->threads = now;
	switches->thread_count = count;
	switches->known |= count != 0;
	return count != 0;
}
