// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/inner_tids.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
	STATUS_BYTES = 8192,
	REREAD_MS = 2000, /* the kernel gives a dead thread's number away again, at the earliest after all others */
	MISS_MS = 50,     /* a thread that is gone must not make us list all others for each of its events */
	AGE_MAX = 2,
	THREADS_MAX = 65536,
};

struct pair {
	uint32_t vtid, tid;
	uint32_t age; /* readings since the thread was last there: events come up to some 100 ms after it ended */
};

struct nt_inner_tids {
	char *task_dir;     /* owned; NULL = same namespace */
	struct pair *pairs; /* owned; sorted by vtid */
	size_t count, capacity;
	nt_time read_at; /* 0 = never */
};

uint64_t nt_inner_tids_namespace(const char *proc_dir)
{
	char *path = nt_format("%s/ns/pid", proc_dir);
	struct stat ns;
	uint64_t inode = stat(path, &ns) == 0 ? ns.st_ino : 0;
	free(path);
	return inode;
}

struct nt_inner_tids *nt_inner_tids_new(const char *proc_dir, bool same_namespace)
{
	struct nt_inner_tids *tids = nt_alloc(sizeof(*tids));
	if (!same_namespace)
		tids->task_dir = nt_format("%s/task", proc_dir);
	return tids;
}

void nt_inner_tids_free(struct nt_inner_tids *tids)
{
	if (!tids)
		return;
	free(tids->task_dir);
	free(tids->pairs);
	free(tids);
}

static int by_vtid(const void *a, const void *b)
{
	const struct pair *left = a, *right = b;
	return (left->vtid > right->vtid) - (left->vtid < right->vtid);
}

static void add_thread(struct nt_inner_tids *tids, int dir_fd, const char *tid_text)
{
	unsigned long tid = strtoul(tid_text, NULL, 10);
	char path[32], *text;
	size_t length;
	if (!tid || tids->count >= THREADS_MAX)
		return;
	snprintf(path, sizeof(path), "%lu/status", tid);
	if (nt_file_read(dir_fd, path, STATUS_BYTES, &text, &length) != 0)
		return;
	struct nt_procfs_status status = { 0 };
	nt_procfs_status_parse(text, length, &status);
	free(text);
	if (!status.ns_pid_count)
		return;
	tids->pairs = nt_grow(tids->pairs, &tids->capacity, tids->count + 1, sizeof(*tids->pairs));
	tids->pairs[tids->count++] = (struct pair){ .vtid = status.ns_pid[status.ns_pid_count - 1], .tid = (uint32_t)tid };
}

static const struct pair *find(const struct pair *pairs, size_t count, uint32_t vtid)
{
	const struct pair key = { .vtid = vtid };
	return count ? bsearch(&key, pairs, count, sizeof(key), by_vtid) : NULL;
}

/* Append the pairs of threads that are gone, as long as their events may still come. */
static void keep_recent(struct nt_inner_tids *tids, const struct pair *old, size_t old_count)
{
	size_t present = tids->count;
	for (size_t i = 0; i < old_count && tids->count < THREADS_MAX; i++) {
		if (old[i].age >= AGE_MAX || find(tids->pairs, present, old[i].vtid))
			continue;
		tids->pairs = nt_grow(tids->pairs, &tids->capacity, tids->count + 1, sizeof(*tids->pairs));
		tids->pairs[tids->count] = old[i];
		tids->pairs[tids->count++].age++;
	}
}

static void read_all(struct nt_inner_tids *tids, nt_time now)
{
	tids->read_at = now;
	DIR *dir = opendir(tids->task_dir);
	if (!dir)
		return; /* the process has ended: what was read stays right for the events that are still to come */
	struct pair *old = tids->pairs;
	size_t old_count = tids->count;
	tids->pairs = NULL;
	tids->count = tids->capacity = 0;
	for (struct dirent *entry; (entry = readdir(dir));)
		add_thread(tids, dirfd(dir), entry->d_name);
	closedir(dir);
	if (tids->count)
		qsort(tids->pairs, tids->count, sizeof(*tids->pairs), by_vtid);
	keep_recent(tids, old, old_count);
	free(old);
	if (tids->count)
		qsort(tids->pairs, tids->count, sizeof(*tids->pairs), by_vtid);
}

static __attribute__((noinline)) uint32_t look_up(struct nt_inner_tids *tids, uint32_t vtid, nt_time now)
{
	const struct pair *pair = find(tids->pairs, tids->count, vtid);
	nt_time age = tids->read_at ? now - tids->read_at : NT_TIME_UNKNOWN;
	if (age > (pair ? REREAD_MS : MISS_MS) * NT_NS_PER_MS) {
		read_all(tids, now);
		pair = find(tids->pairs, tids->count, vtid);
	}
	return pair ? pair->tid : NT_INNER_TID_UNKNOWN | vtid;
}

/* Asked for each event, and nearly always in the same namespace: that costs no more than the question. */
uint32_t nt_inner_tids_outer(struct nt_inner_tids *tids, uint32_t vtid, nt_time now)
{
	return tids->task_dir ? look_up(tids, vtid, now) : vtid;
}

void nt_inner_tids_translate(struct nt_inner_tids *tids, struct nt_event *event)
{
	uint64_t *owner = &event->u.contention.owner_id;
	if (event->kind == NT_EV_CONTENTION_START && *owner && *owner <= UINT32_MAX)
		*owner = nt_inner_tids_outer(tids, (uint32_t)*owner, event->time);
}
