// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/runtime_start.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STAT_BYTES = 4096, THREADS_LOOKED_AT = 256 };

static bool is_old_finalizer(const char *proc_dir, const char *tid, nt_time since_boot)
{
	char *path = nt_format("%s/task/%s/stat", proc_dir, tid), *text;
	size_t length;
	struct nt_procfs_stat stat;
	bool is_one = false;
	if (nt_file_read(AT_FDCWD, path, STAT_BYTES, &text, &length) == 0) {
		is_one = nt_procfs_stat_parse(text, length, &stat) && strncmp(stat.comm, ".NET Finalizer", sizeof(stat.comm)) == 0 &&
			 stat.start_ticks * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)) + NT_RUNTIME_START_NS <= since_boot;
		free(text);
	}
	free(path);
	return is_one;
}

bool nt_runtime_is_past_its_start(const char *proc_dir, nt_time since_boot)
{
	char *path = nt_format("%s/task", proc_dir);
	DIR *threads = opendir(path);
	bool found = false;
	free(path);
	/* It is among the first, and the kernel lists threads in order of age. */
	struct dirent *entry;
	for (int seen = 0; threads && !found && seen < THREADS_LOOKED_AT && (entry = readdir(threads)); seen++)
		found = entry->d_name[0] != '.' && is_old_finalizer(proc_dir, entry->d_name, since_boot);
	if (threads)
		closedir(threads);
	return found;
}
