// SPDX-License-Identifier: GPL-2.0-only
#include "target/launch/follow.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"
#include "target/launch/dotnet_command.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	FILE_BYTES = 64 * 1024,
	DEPTH_MAX = 32,    /* of descendants: a shell in a shell in a shell */
	FAMILY_MAX = 4096, /* processes looked at: a command that starts more is no launcher */
};

struct nt_follow {
	char *proc_root; /* owned */
	uint32_t root;
	atomic_uint shares;
	pthread_mutex_t lock;
	uint32_t chosen; /* under the lock; 0 = none yet */
};

struct nt_follow *nt_follow_new(const char *proc_root, uint32_t pid)
{
	struct nt_follow *follow = nt_alloc(sizeof(*follow));
	follow->proc_root = nt_strdup(proc_root);
	follow->root = pid;
	atomic_init(&follow->shares, 1);
	pthread_mutex_init(&follow->lock, NULL);
	return follow;
}

struct nt_follow *nt_follow_share(struct nt_follow *follow)
{
	atomic_fetch_add(&follow->shares, 1);
	return follow;
}

void nt_follow_drop(struct nt_follow *follow)
{
	if (!follow || atomic_fetch_sub(&follow->shares, 1) != 1)
		return;
	pthread_mutex_destroy(&follow->lock);
	free(follow->proc_root);
	free(follow);
}

uint32_t nt_follow_chosen(struct nt_follow *follow)
{
	pthread_mutex_lock(&follow->lock);
	uint32_t chosen = follow->chosen;
	pthread_mutex_unlock(&follow->lock);
	return chosen;
}

/* The first one wins; is it this one? */
static bool choose(struct nt_follow *follow, uint32_t pid)
{
	pthread_mutex_lock(&follow->lock);
	if (!follow->chosen)
		follow->chosen = pid;
	bool is_it = follow->chosen == pid;
	pthread_mutex_unlock(&follow->lock);
	return is_it;
}

/* A small file of a process; NULL when it is gone or closed to us. */
static char *read_file(const struct nt_follow *follow, uint32_t pid, const char *name, size_t *length)
{
	char *folder = nt_format("%s/%u", follow->proc_root, pid), *text = nt_file_text(folder, name, FILE_BYTES, length);
	free(folder);
	return text;
}

static bool is_of_sdk(const struct nt_follow *follow, uint32_t pid)
{
	size_t length;
	char *cmdline = read_file(follow, pid, "cmdline", &length);
	bool of_sdk = cmdline && nt_dotnet_is_sdk(cmdline, length);
	free(cmdline);
	return of_sdk;
}

/* ---- from the command downwards ---- */

struct family {
	uint32_t pids[FAMILY_MAX];
	size_t count;
};

static void add_children(struct family *family, const char *text)
{
	char *end;
	for (unsigned long pid; (pid = strtoul(text, &end, 10)) != 0 && end != text; text = end)
		if (family->count < FAMILY_MAX)
			family->pids[family->count++] = (uint32_t)pid;
}

/* The kernel lists children by the thread that made them. */
static void list_children(const struct nt_follow *follow, uint32_t pid, struct family *family)
{
	char *path = nt_format("%s/%u/task", follow->proc_root, pid), name[sizeof("task/4294967295/children")];
	DIR *dir = opendir(path);
	free(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		size_t length;
		snprintf(name, sizeof(name), "task/%u/children", tid);
		char *children = tid ? read_file(follow, pid, name, &length) : NULL;
		if (children)
			add_children(family, children);
		free(children);
	}
	if (dir)
		closedir(dir);
}

/*
 * Is the runtime up, so that what it did at its start (or did not: load LTTng) can be judged? libcoreclr loads its LTTng provider while it is loaded
 * itself, before it makes the first thread. Native AOT makes its diagnostics port before that.
 */
static bool is_up(const struct nt_follow *follow, const struct nt_target *target)
{
	if (!nt_target_has_runtime(target) || (target->provider_loaded && target->ust_soname))
		return nt_target_has_runtime(target);
	struct nt_procfs_stat stat;
	size_t length;
	char *text = read_file(follow, target->pid, "stat", &length);
	bool up = text && nt_procfs_stat_parse(text, length, &stat) && stat.thread_count > 1;
	free(text);
	return up;
}

static enum nt_status load(const struct nt_follow *follow, uint32_t pid, struct nt_target **out, struct nt_error *err)
{
	char text[16];
	snprintf(text, sizeof(text), "%u", pid);
	enum nt_status status = nt_target_find(follow->proc_root, text, out, err);
	if (status != NT_OK || is_up(follow, *out))
		return status;
	nt_target_free(*out);
	*out = NULL;
	return NT_AGAIN;
}

enum nt_status nt_follow_look(struct nt_follow *follow, struct nt_target **out, struct nt_error *err)
{
	uint32_t chosen = nt_follow_chosen(follow);
	if (chosen)
		return load(follow, chosen, out, err);
	struct family *family = nt_alloc(sizeof(*family));
	enum nt_status status = NT_AGAIN;
	family->pids[family->count++] = follow->root;
	for (size_t i = 0; i < family->count && status == NT_AGAIN; i++) {
		uint32_t pid = family->pids[i];
		list_children(follow, pid, family);
		/* Who ended, or is closed to us, is not what is looked for. */
		if (is_of_sdk(follow, pid) || load(follow, pid, out, err) != NT_OK)
			continue;
		if (choose(follow, pid)) {
			status = NT_OK;
		} else { /* an event of another came first */
			nt_target_free(*out);
			*out = NULL;
			break;
		}
	}
	if (status == NT_AGAIN)
		nt_error_clear(err);
	free(family);
	return status;
}

/* ---- from a process upwards ---- */

static bool is_descendant(const struct nt_follow *follow, uint32_t pid)
{
	for (int depth = 0; depth < DEPTH_MAX && pid; depth++) {
		struct nt_procfs_stat stat;
		size_t length;
		if (pid == follow->root)
			return true;
		char *text = read_file(follow, pid, "stat", &length);
		bool valid = text && nt_procfs_stat_parse(text, length, &stat);
		free(text);
		pid = valid ? stat.ppid : 0;
	}
	return false;
}

bool nt_follow_ask(struct nt_follow *follow, uint32_t pid)
{
	uint32_t chosen = nt_follow_chosen(follow);
	if (chosen)
		return chosen == pid;
	return is_descendant(follow, pid) && !is_of_sdk(follow, pid) && choose(follow, pid);
}
