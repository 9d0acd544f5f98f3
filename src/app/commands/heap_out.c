// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/heap_out.h"

#include "app/commands/heap_files.h"
#include "app/common/new_file.h"
#include "model/heap/heap_holders.h"
#include "output/heap/gcdump_write.h"

struct writing {
	const struct nt_options *options;
	const struct nt_heap_report *report, *before;
};

bool nt_heap_out_wants_references(const struct nt_options *options)
{
	return options->held || options->paths_of || nt_heap_file_is_dump(options->output_path);
}

static void write_dump(FILE *out, const void *context)
{
	const struct writing *writing = context;
	nt_gcdump_write(out, writing->report);
}

static void write_it(FILE *out, const void *context)
{
	const struct writing *writing = context;
	if (writing->options->output == NT_OUTPUT_JSON)
		nt_heap_write_json(out, writing->report, writing->before);
	else
		nt_heap_write_text(out, writing->report, writing->before, writing->options->rows);
}

enum nt_status nt_heap_out_write(const struct nt_options *options, const struct nt_heap_report *report, struct nt_heap_found *heap,
				 const struct nt_heap_report *before, struct nt_error *err)
{
	const struct writing writing = { .options = options, .report = report, .before = before };
	const char *refusal = nt_heap_file_is_dump(options->output_path) ? nt_gcdump_refusal(report) : NULL;
	if (refusal)
		return nt_error_set(err, NT_ERR_FAILED, "%s cannot be written: %s", options->output_path, refusal);
	if (nt_heap_file_is_dump(options->output_path))
		return nt_new_file_write(options->output_path, write_dump, &writing, err);
	enum nt_status found = nt_heap_holders_find(heap, options->paths_of, 0, err);
	enum nt_status written = nt_new_file_write(options->output_path, write_it, &writing, err);
	return written != NT_OK ? written : found;
}
