// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/facts.h"

#include "base/alloc.h"
#include "base/call_filter.h"
#include "base/file.h"
#include "base/own_program.h"
#include "target/process/bridge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A file of the kernel's, the caller's text; NULL when it cannot be read. */
static char *text_of(const char *root, const char *path, size_t limit_bytes)
{
	char *full = nt_format("%s%s", root, path);
	char *text = NULL;
	size_t length;
	int error = nt_file_read(AT_FDCWD, full, limit_bytes, &text, &length);
	free(full);
	return error ? NULL : text;
}

static struct nt_fact number_of(const char *root, const char *path)
{
	char *text = text_of(root, path, 64), *end = text;
	int64_t value = text ? strtoll(text, &end, 10) : 0;
	bool known = end != text;
	free(text);
	return (struct nt_fact){ .value = value, .known = known };
}

static uint64_t effective_capabilities(const char *root)
{
	static const char label[] = "CapEff:";
	char *text = text_of(root, "/proc/self/status", 64 * 1024);
	const char *at = text ? strstr(text, label) : NULL;
	uint64_t capabilities = at ? strtoull(at + sizeof(label) - 1, NULL, 16) : 0;
	free(text);
	return capabilities;
}

/* The first one has all ids, each as itself (user_namespaces(7)). */
static bool in_user_namespace(const char *root)
{
	char *text = text_of(root, "/proc/self/uid_map", 4096);
	unsigned inside = 0, outside = 0, count = UINT32_MAX;
	bool known = text && sscanf(text, "%u %u %u", &inside, &outside, &count) == 3;
	free(text);
	return known && !(inside == 0 && outside == 0 && count == UINT32_MAX);
}

/* The kernel shows 0 for every address that it hides. */
static bool kallsyms_shown(const char *root)
{
	char *text = text_of(root, "/proc/kallsyms", 4096);
	bool shown = false;
	for (const char *line = text; !shown && line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		shown = strtoull(line, NULL, 16) != 0;
	}
	free(text);
	return shown;
}

static struct nt_fact hard_limit(int resource)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) < 0)
		return (struct nt_fact){ 0 };
	bool unlimited = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > INT64_MAX;
	return (struct nt_fact){ .value = unlimited ? INT64_MAX : (int64_t)limit.rlim_max, .known = true };
}

/* The soft limit counts here: nettop does not raise it. */
static struct nt_fact locked_bytes_max(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0)
		return (struct nt_fact){ 0 };
	bool unlimited = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX;
	return (struct nt_fact){ .value = unlimited ? INT64_MAX : (int64_t)limit.rlim_cur, .known = true };
}

static int tracefs_error(const char *root)
{
	static const char *const folders[] = { "/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events" };
	int error = ENOENT;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char *path = nt_format("%s%s", root, folders[i]);
		int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		int refused = fd < 0 ? errno : 0;
		free(path);
		if (fd >= 0) {
			close(fd);
			return 0;
		}
		if (refused != ENOENT)
			error = refused;
	}
	return error;
}

static void read_shm(struct nt_facts *facts, const char *root)
{
	struct statvfs shm;
	char *path = nt_format("%s/dev/shm", root);
	bool there = statvfs(path, &shm) == 0;
	free(path);
	if (!there)
		return;
	facts->shm_free_bytes = (struct nt_fact){ .value = (int64_t)(shm.f_bavail * shm.f_frsize), .known = true };
	facts->shm_total_bytes = shm.f_blocks * shm.f_frsize;
}

void nt_facts_read_self(struct nt_facts *facts, const char *root)
{
	facts->uid = geteuid();
	const char *user = getenv("USER");
	snprintf(facts->user, sizeof(facts->user), "%s", user ? user : "");
	facts->capabilities = effective_capabilities(root);
	facts->in_user_namespace = in_user_namespace(root);
	facts->perf_filtered = nt_call_filter_keeps_perf();
	nt_own_program_path(facts->program);
	facts->bridge_there = nt_bridge_find(facts->program, facts->bridge_dir, sizeof(facts->bridge_dir));
	facts->open_files_max = hard_limit(RLIMIT_NOFILE);
	facts->locked_bytes_max = locked_bytes_max();
}

void nt_facts_read_machine(struct nt_facts *facts, const char *root)
{
	nt_facts_read_self(facts, root);
	facts->perf_event_paranoid = number_of(root, "/proc/sys/kernel/perf_event_paranoid");
	facts->kptr_restrict = number_of(root, "/proc/sys/kernel/kptr_restrict");
	facts->perf_event_mlock_kb = number_of(root, "/proc/sys/kernel/perf_event_mlock_kb");
	facts->kallsyms_shown = kallsyms_shown(root);
	facts->tracefs_error = tracefs_error(root);
	read_shm(facts, root);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	facts->cpu_count = cpus > 0 ? (unsigned)cpus : 1;
}
