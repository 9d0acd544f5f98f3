// SPDX-License-Identifier: GPL-2.0-only
#include "target/launch/startup_port_heirs.h"

#include "base/file.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ENVIRONMENT_BYTES = 8 << 20, /* more than Linux lets a program be started with */
	STAT_BYTES = 4096,
	DEPTH_MAX = 64, /* of parents */
};

/* Those that are gone, or closed to us, are none. */
static bool is_heir(uint32_t pid, const char *setting)
{
	char path[64], *text;
	size_t length;
	snprintf(path, sizeof(path), "/proc/%u/environ", pid);
	if (nt_file_read(AT_FDCWD, path, ENVIRONMENT_BYTES, &text, &length) != 0)
		return false;
	bool is_one = memmem(text, length, setting, strlen(setting));
	free(text);
	return is_one;
}

static uint32_t parent_of(uint32_t pid)
{
	char path[64], *text;
	size_t length;
	struct nt_procfs_stat stat = { 0 };
	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (nt_file_read(AT_FDCWD, path, STAT_BYTES, &text, &length) != 0)
		return 0;
	bool valid = nt_procfs_stat_parse(text, length, &stat);
	free(text);
	return valid ? stat.ppid : 0;
}

static bool was_started_by_us(uint32_t pid)
{
	for (int depth = 0; pid > 1 && depth < DEPTH_MAX; depth++)
		if ((pid = parent_of(pid)) == (uint32_t)getpid())
			return true;
	return false;
}

bool nt_startup_heirs_may_come(const char *setting, uint32_t pid)
{
	return pid && (was_started_by_us(pid) || is_heir(pid, setting));
}

bool nt_startup_heirs_exist(const char *setting)
{
	bool found = false;
	DIR *processes = opendir("/proc");
	for (struct dirent *entry; processes && !found && (entry = readdir(processes));)
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_heir((uint32_t)strtoul(entry->d_name, NULL, 10), setting);
	if (processes)
		closedir(processes);
	return found;
}
