// SPDX-License-Identifier: GPL-2.0-only
#include "app/view_file.h"

#include "output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

/* Files of one second: somebody holds the key down. */
enum { MOST_OF_A_NAME = 100 };

static void make_name(const struct nt_listing *listing, int64_t realtime_offset_ns, int number, char name[NT_VIEW_FILE_NAME])
{
	time_t seconds = (time_t)(((int64_t)listing->context.snapshot->t1 + realtime_offset_ns) / (int64_t)NT_NS_PER_S);
	struct tm parts = { 0 };
	char when[32], again[16] = "", pid[16] = "";
	localtime_r(&seconds, &parts);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &parts);
	if (number > 1)
		snprintf(again, sizeof(again), "-%d", number);
	if (listing->context.snapshot->process_count)
		snprintf(pid, sizeof(pid), "%" PRIu32 "-", listing->context.process->target.pid);
	snprintf(name, NT_VIEW_FILE_NAME, "nettop-%s%.16s-%s%s.txt", pid, listing->table->key, when, again);
}

/* Never a file that is there already, and never through a link: the folder may belong to somebody else. */
static FILE *create(const struct nt_listing *listing, int64_t realtime_offset_ns, char name[NT_VIEW_FILE_NAME])
{
	int fd = -1;
	for (int number = 1; fd < 0 && number <= MOST_OF_A_NAME; number++) {
		make_name(listing, realtime_offset_ns, number, name);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd < 0 ? NULL : fdopen(fd, "w");
}

enum nt_status nt_view_file_write(const struct nt_listing *listing, int64_t realtime_offset_ns, char name[NT_VIEW_FILE_NAME],
				  struct nt_error *err)
{
	const struct nt_text_options options = { .listing = listing, .first = true, .realtime_offset_ns = realtime_offset_ns };
	FILE *out = create(listing, realtime_offset_ns, name);
	if (!out)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot create %s in the current folder", name);
	nt_text_frame(out, listing->context.snapshot, &options);
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
