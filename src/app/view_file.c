// SPDX-License-Identifier: GPL-2.0-only
#include "app/view_file.h"

#include "output/stacks.h"
#include "output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Files of one second: somebody holds the key down. */
enum { MOST_OF_A_NAME = 100 };

/* What becomes a file. */
struct content {
	const struct nt_listing *listing;
	int64_t realtime_offset_ns;
	const char *suffix;
	void (*put)(FILE *out, const struct content *content);
};

static void make_name(const struct content *content, int number, char name[NT_VIEW_FILE_NAME])
{
	const struct nt_column_context *context = &content->listing->context;
	time_t seconds = (time_t)(((int64_t)context->snapshot->t1 + content->realtime_offset_ns) / (int64_t)NT_NS_PER_S);
	struct tm parts = { 0 };
	char when[32], again[16] = "", pid[16] = "";
	localtime_r(&seconds, &parts);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &parts);
	if (number > 1)
		snprintf(again, sizeof(again), "-%d", number);
	if (context->snapshot->process_count)
		snprintf(pid, sizeof(pid), "%" PRIu32 "-", context->process->target.pid);
	snprintf(name, NT_VIEW_FILE_NAME, "nettop-%s%.16s-%s%s.%s", pid, content->listing->table->key, when, again, content->suffix);
}

/* Never a file that is there already, and never through a link: the folder may belong to somebody else. */
static FILE *create(const struct content *content, char name[NT_VIEW_FILE_NAME])
{
	int fd = -1;
	for (int number = 1; fd < 0 && number <= MOST_OF_A_NAME; number++) {
		make_name(content, number, name);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static enum nt_status write_new(const struct content *content, char name[NT_VIEW_FILE_NAME], struct nt_error *err)
{
	FILE *out = create(content, name);
	if (!out)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot create %s in the current folder", name);
	content->put(out, content);
	bool whole = fflush(out) == 0 && !ferror(out);
	int reason = errno;
	if (fclose(out) != 0 && whole) {
		whole = false;
		reason = errno;
	}
	if (whole)
		return NT_OK;
	unlink(name);
	return nt_error_errno(err, NT_ERR_FAILED, reason, "cannot write %s", name);
}

static void put_text(FILE *out, const struct content *content)
{
	const struct nt_text_options options = { .listing = content->listing,
						 .first = true,
						 .realtime_offset_ns = content->realtime_offset_ns };
	nt_text_frame(out, content->listing->context.snapshot, &options);
}

enum nt_status nt_view_file_write(const struct nt_listing *listing, int64_t realtime_offset_ns, char name[NT_VIEW_FILE_NAME],
				  struct nt_error *err)
{
	const struct content content = { listing, realtime_offset_ns, "txt", put_text };
	return write_new(&content, name, err);
}

static void put_stacks(FILE *out, const struct content *content)
{
	const struct nt_snapshot *snapshot = content->listing->context.snapshot;
	const struct nt_process_snapshot *process = content->listing->context.process;
	struct nt_stack_tree tree = process->stacks;
	struct nt_stack_node *nodes = nt_stacks_whole_nodes(&tree);
	const struct nt_stacks stacks = {
		.tree = &tree, .pid = process->target.pid, .process_name = process->target.name, .t0 = snapshot->start, .t1 = snapshot->t1
	};
	tree.nodes = nodes;
	nt_stacks_write(out, NT_STACKS_AS_FLAMEGRAPH, &stacks);
	free(nodes);
}

enum nt_status nt_view_file_write_stacks(const struct nt_listing *listing, int64_t realtime_offset_ns, char name[NT_VIEW_FILE_NAME],
					 struct nt_error *err)
{
	const struct content content = { listing, realtime_offset_ns, "svg", put_stacks };
	return write_new(&content, name, err);
}
