// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/tids.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/file_name.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAT_BYTES = 1024 };

void nt_tids_fini(struct nt_tids *set)
{
	free(set->tids);
	*set = (struct nt_tids){ 0 };
}

/* Index of the first tid that is not less than `tid`. */
static size_t place_of(const struct nt_tids *set, pid_t tid)
{
	size_t low = 0, high = set->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (set->tids[middle] < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool nt_tids_contains(const struct nt_tids *set, pid_t tid)
{
	size_t at = place_of(set, tid);
	return at < set->count && set->tids[at] == tid;
}

void nt_tids_insert(struct nt_tids *set, pid_t tid)
{
	size_t at = place_of(set, tid);
	if (at < set->count && set->tids[at] == tid)
		return;
	set->tids = nt_grow(set->tids, &set->capacity, set->count + 1, sizeof(*set->tids));
	memmove(set->tids + at + 1, set->tids + at, (set->count - at) * sizeof(*set->tids));
	set->tids[at] = tid;
	set->count++;
}

void nt_tids_remove(struct nt_tids *set, pid_t tid)
{
	size_t at = place_of(set, tid);
	if (at == set->count || set->tids[at] != tid)
		return;
	set->count--;
	memmove(set->tids + at, set->tids + at + 1, (set->count - at) * sizeof(*set->tids));
}

void nt_tids_intersect(struct nt_tids *set, const struct nt_tids *other)
{
	size_t kept = 0;
	for (size_t i = 0; i < set->count; i++)
		if (nt_tids_contains(other, set->tids[i]))
			set->tids[kept++] = set->tids[i];
	set->count = kept;
}

/* Only a leader can be listed after its end: the others vanish. */
static bool leader_has_ended(const char *proc_dir)
{
	char *path = nt_format("%s/stat", proc_dir), *text;
	size_t length;
	struct nt_procfs_stat stat;
	bool ended = nt_file_read(-1, path, STAT_BYTES, &text, &length) == 0 && nt_procfs_stat_parse(text, length, &stat) &&
		     (stat.state == 'Z' || stat.state == 'X');
	free(text);
	free(path);
	return ended;
}

int nt_tids_list(struct nt_tids *set, const char *proc_dir)
{
	char *path = nt_format("%s/task", proc_dir);
	DIR *dir = opendir(path);
	int error = errno;
	free(path);
	set->count = 0;
	if (!dir)
		return error == ENOENT ? ESRCH : error;
	struct dirent *entry;
	while ((entry = readdir(dir))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (tid > 0)
			nt_tids_insert(set, tid);
	}
	closedir(dir);
	if (set->count && leader_has_ended(proc_dir))
		nt_tids_remove(set, (pid_t)strtol(nt_file_base_name(proc_dir), NULL, 10));
	return 0;
}
