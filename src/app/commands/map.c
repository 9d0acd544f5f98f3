// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/map.h"

#include "app/commands/symfs.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/loop/guard.h"
#include "app/show/watch.h"
#include "base/text.h"
#include "output/files/perf_map_write.h"
#include "source/export/code_lines.h"

#include <sys/stat.h>

/* The runtime goes on writing to it, and would write over ours. */
static bool is_own_map(const char *path, const struct nt_code_lines *lines)
{
	struct stat st;
	return path && lines->map_inode && stat(path, &st) == 0 && st.st_dev == lines->map_device && st.st_ino == lines->map_inode;
}

static void write_map(FILE *out, const void *context)
{
	const struct nt_code_lines *lines = context;
	nt_perf_map_write(out, lines->lines, lines->count);
}

static void say(const struct nt_code_lines *lines, size_t count)
{
	fprintf(stderr, "nettop: %zu lines: %zu of the process's own perf map, %zu precompiled methods; %zu do not hold any more\n", count,
		lines->map_count, lines->count - lines->map_count, lines->count - count);
	if (!*lines->map_reason)
		return;
	fputs("nettop: without compiled methods: ", stderr);
	nt_text_print(stderr, lines->map_reason);
	fputs(*lines->map_fix ? "; " : "", stderr);
	nt_text_print(stderr, lines->map_fix);
	fputc('\n', stderr);
}

static enum nt_status make_symfs(const char *path, const struct nt_code_lines *lines, struct nt_error *err)
{
	unsigned count = 0;
	enum nt_status status = nt_symfs_make(path, lines, &count, err);
	if (status == NT_OK)
		fprintf(stderr, "nettop: names of %u precompiled images: perf report --symfs %s --kallsyms /proc/kallsyms\n", count, path);
	return status;
}

static int make(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	(void)context;
	const struct nt_source_config config = nt_session_config(setup);
	const char *path = setup->options->output_path;
	struct nt_code_lines *lines = NULL;
	nt_guard_unfinished(NT_EXIT_FAILURE);
	enum nt_status status = nt_code_lines_read(setup->target, &config, &lines, err);
	if (status == NT_OK && is_own_map(path, lines))
		status = nt_error_set(err, NT_ERR_USAGE, "%s is the map that process %u itself writes; give another file", path,
				      (unsigned)setup->target->pid);
	if (status == NT_OK && setup->options->symfs_path)
		status = make_symfs(setup->options->symfs_path, lines, err);
	if (status == NT_OK && (path || !setup->options->symfs_path)) {
		size_t read = lines->count, kept = nt_perf_map_merge(lines->lines, read);
		struct nt_code_lines merged = *lines;
		merged.count = kept;
		status = nt_new_file_write(path, write_map, &merged, err);
		if (status == NT_OK)
			say(lines, kept);
	}
	/* What was mapped goes before the process does: nobody knows which images were looked at in time. */
	if (status == NT_OK && !nt_target_alive(setup->target))
		status = nt_error_set(err, NT_ERR_GONE, "process %u (%s) ended while its code was read: the map may lack any part of it",
				      (unsigned)setup->target->pid, setup->target->name);
	nt_code_lines_free(lines);
	return nt_exit_of(status);
}

int nt_map(struct nt_options *options, struct nt_error *err)
{
	const struct nt_show show = { .run = make };
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop map -p PID"));
	enum nt_status status = nt_new_file_check(options->output_path, err);
	return status == NT_OK ? nt_watch_with(options, &show, err) : nt_exit_of(status);
}
