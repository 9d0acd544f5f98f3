// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/stacks_files.h"

#include "app/common/new_file.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <unistd.h>

/* With one format as it was given, with several FILE.svg, FILE.folded ...; NULL = standard output. The caller's. */
static char *path_of(const struct nt_options *options, enum nt_stacks_format format)
{
	if (!options->output_path)
		return NULL;
	return options->stacks_format_count == 1 ? nt_strdup(options->output_path)
						 : nt_format("%s.%s", options->output_path, nt_stacks_format_ending(format));
}

enum nt_status nt_stacks_files_check(const struct nt_options *options, struct nt_error *err)
{
	if (!options->output_path && options->stacks_format_count > 1)
		return nt_error_set(err, NT_ERR_USAGE, "several formats are several files; say how they begin: -o FILE");
	enum nt_status status = NT_OK;
	for (size_t i = 0; status == NT_OK && i < options->stacks_format_count; i++) {
		enum nt_stacks_format format = options->stacks_formats[i];
		char *path = path_of(options, format);
		if (!path && nt_stacks_format_is_binary(format) && isatty(STDOUT_FILENO))
			status = nt_error_set(err, NT_ERR_USAGE, "%s is nothing for a terminal; give a file: -o FILE",
					      nt_stacks_format_name(format));
		else
			status = nt_new_file_check(path, err);
		free(path);
	}
	return status;
}

/* What is to be written, and how. */
struct job {
	const struct nt_stacks *stacks;
	enum nt_stacks_format format;
};

static void write_job(FILE *out, const void *context)
{
	const struct job *job = context;
	nt_stacks_write(out, job->format, job->stacks);
}

enum nt_status nt_stacks_files_write(const struct nt_options *options, const struct nt_stacks *stacks, struct nt_error *err)
{
	enum nt_status status = NT_OK;
	for (size_t i = 0; status == NT_OK && i < options->stacks_format_count; i++) {
		const struct job job = { .stacks = stacks, .format = options->stacks_formats[i] };
		char *path = path_of(options, job.format);
		status = nt_new_file_write(path, write_job, &job, err);
		free(path);
	}
	return status;
}
