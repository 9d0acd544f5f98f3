// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/view_file.h"

#include "app/common/version.h"
#include "base/plain_rights.h"
#include "output/frame/json.h"
#include "output/frame/text_frame.h"
#include "output/report/report_write.h"
#include "output/stacks/stacks_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What becomes a file. */
struct content {
	const struct nt_listing *listing;
	int64_t realtime_offset_ns;
	const struct nt_jit_report *started_with; /* of a report; else not looked at */
	enum nt_file file;
	void (*put)(FILE *out, const struct content *content);
};

void nt_view_file_name(const char *wanted, int number, char name[NT_VIEW_FILE_NAME])
{
	int stem = (int)strcspn(wanted, ".");
	snprintf(name, NT_VIEW_FILE_NAME, "%s", wanted);
	if (number > 1)
		snprintf(name, NT_VIEW_FILE_NAME, "%.*s-%d%s", stem, wanted, number, wanted + stem);
}

/* Never a file that is there already, and never through a link: the folder may belong to somebody else. With no rights of nettop's own file. */
static FILE *create(const struct nt_file_wish *wish, char name[NT_VIEW_FILE_NAME])
{
	int fd = -1, most = wish->suggested ? NT_VIEW_FILE_NUMBERS : 1;
	struct nt_plain_rights rights = nt_plain_rights_begin();
	for (int number = 1; fd < 0 && number <= most; number++) {
		nt_view_file_name(wish->name, number, name);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	nt_plain_rights_end(rights);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static enum nt_status write_new(const struct content *content, const struct nt_file_wish *wish, char name[NT_VIEW_FILE_NAME],
				struct nt_error *err)
{
	FILE *out = create(wish, name);
	if (!out)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot create %s", name);
	content->put(out, content);
	bool whole = fflush(out) == 0 && !ferror(out);
	int reason = errno;
	if (fclose(out) != 0 && whole) {
		whole = false;
		reason = errno;
	}
	if (whole)
		return NT_OK;
	struct nt_plain_rights rights = nt_plain_rights_begin();
	unlink(name);
	nt_plain_rights_end(rights);
	return nt_error_errno(err, NT_ERR_FAILED, reason, "cannot write %s", name);
}

static void put_text(FILE *out, const struct content *content)
{
	const struct nt_text_options options = { .listing = content->listing,
						 .first = true,
						 .realtime_offset_ns = content->realtime_offset_ns };
	nt_text_frame(out, content->listing->context.snapshot, &options);
}

static void put_json(FILE *out, const struct content *content)
{
	const struct nt_json_options options = { .top = SIZE_MAX, .replay_equal = -1 };
	char *line = nt_json_line(content->listing->context.snapshot, &options);
	fprintf(out, "%s\n", line ? line : "null");
	free(line);
}

/* ---- call stacks ---- */

/* `tree`: those of the process, in whole samples. */
static struct nt_stacks stacks_of(const struct content *content, const struct nt_stack_tree *tree)
{
	const struct nt_snapshot *snapshot = content->listing->context.snapshot;
	const struct nt_process_snapshot *process = content->listing->context.process;
	return (struct nt_stacks){ .tree = tree,
				   .pid = process->target.pid,
				   .process_name = process->target.name,
				   .t0 = tree->wanted == NT_STACKS_WINDOW ? snapshot->start : snapshot->t0, /* else it is of a span */
				   .t1 = snapshot->t1 };
}

static void put_stacks(FILE *out, const struct content *content)
{
	static const enum nt_stacks_format formats[] = {
		[NT_FILE_FLAMEGRAPH] = NT_STACKS_AS_FLAMEGRAPH,
		[NT_FILE_FOLDED] = NT_STACKS_AS_FOLDED,
		[NT_FILE_SPEEDSCOPE] = NT_STACKS_AS_SPEEDSCOPE,
		[NT_FILE_PPROF] = NT_STACKS_AS_PPROF,
	};
	struct nt_stack_tree tree = content->listing->context.process->stacks;
	struct nt_stack_node *nodes = nt_stacks_whole_nodes(&tree);
	tree.nodes = nodes;
	const struct nt_stacks stacks = stacks_of(content, &tree);
	nt_stacks_write(out, formats[content->file], &stacks);
	free(nodes);
}

/* ---- a report ---- */

/* Of the span that was chosen; else since attach, of which the screen keeps no call stacks. */
static void put_report(FILE *out, const struct content *content)
{
	static const enum nt_report_form forms[] = {
		[NT_FILE_REPORT] = NT_REPORT_TEXT,
		[NT_FILE_REPORT_MARKDOWN] = NT_REPORT_MARKDOWN,
		[NT_FILE_REPORT_PAGE] = NT_REPORT_HTML,
	};
	const struct nt_snapshot *snapshot = content->listing->context.snapshot;
	bool is_span = content->listing->context.is_span;
	struct nt_stack_tree tree = content->listing->context.process->stacks;
	struct nt_stack_node *nodes = nt_stacks_whole_nodes(&tree);
	tree.nodes = nodes;
	const struct nt_stacks stacks = stacks_of(content, &tree);
	const struct nt_report report = {
		.whole = snapshot,
		.is_span = is_span,
		.last = snapshot,
		.started_with = content->started_with,
		.version = NT_VERSION,
		.stacks = is_span ? &stacks : NULL,
		.no_stacks = is_span ? NULL
				     : "A screen keeps no call stacks since attach; a span that is chosen on it has those of its samples.",
		.rows = NT_REPORT_ROWS,
		.realtime_offset_ns = content->realtime_offset_ns,
	};
	nt_report_write(out, &report, forms[content->file]);
	free(nodes);
}

enum nt_status nt_view_file_write(const struct nt_listing *listing, int64_t realtime_offset_ns, const struct nt_jit_report *started_with,
				  const struct nt_file_wish *wish, char name[NT_VIEW_FILE_NAME], struct nt_error *err)
{
	const struct content content = { .listing = listing,
					 .realtime_offset_ns = realtime_offset_ns,
					 .started_with = started_with,
					 .file = wish->file,
					 .put = wish->file == NT_FILE_SCREEN    ? put_text
						: wish->file == NT_FILE_JSON    ? put_json
						: nt_file_is_report(wish->file) ? put_report
										: put_stacks };
	return write_new(&content, wish, name, err);
}
