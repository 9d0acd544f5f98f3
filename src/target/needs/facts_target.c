// SPDX-License-Identifier: GPL-2.0-only
#include "target/needs/facts_parts.h"

#include "base/alloc.h"
#include "base/file_foreign.h"
#include "base/process_memory.h"
#include "target/process/diagnostics_socket.h"
#include "target/process/perf_map_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t count_threads(const struct nt_target *target)
{
	char *path = nt_format("%s/task", target->proc_dir);
	DIR *dir = opendir(path);
	free(path);
	uint64_t count = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return count;
}

static void read_socket(struct nt_facts *facts)
{
	struct nt_diagnostics_socket socket;
	nt_diagnostics_find_socket(facts->target, &socket);
	memcpy(facts->socket_dir, socket.folder, sizeof(facts->socket_dir));
	facts->socket_error = socket.error;
	facts->socket_exists = socket.fd >= 0;
	if (socket.fd >= 0)
		close(socket.fd);
}

static void read_perf_map(struct nt_facts *facts)
{
	const struct nt_target *target = facts->target;
	snprintf(facts->perf_map, sizeof(facts->perf_map), "%s/perf-%u.map", target->perf_map_dir, target->ns_pid);
	char *path = nt_format("%s%s", target->root_dir, facts->perf_map);
	struct stat stat;
	facts->perf_map_error = nt_file_stat_foreign(path, false, &stat);
	free(path);
	if (facts->perf_map_error)
		return;
	facts->perf_map_stale = nt_perf_map_is_stale(target->proc_dir, nt_target_started_at(target), &stat);
	if (facts->perf_map_stale)
		facts->perf_map_error = ENOENT;
	else
		nt_file_objection(&stat, target->uid, facts->perf_map_objection);
}

int nt_facts_root_error(const struct nt_target *target)
{
	int fd = open(target->root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

void nt_facts_read_target(struct nt_facts *facts, const struct nt_target *target)
{
	facts->target = target;
	facts->thread_count = count_threads(target);
	facts->root_error = nt_facts_root_error(target);
	nt_facts_read_namespaces(facts);
	if (target->is_dotnet || target->deployment == NT_DEPLOYED_NATIVE_AOT)
		read_socket(facts);
	if (!target->is_dotnet)
		return;
	facts->memory_error = nt_process_memory_error(target->proc_dir, (pid_t)target->pid);
	read_perf_map(facts);
	nt_facts_read_libraries(facts);
}
