// SPDX-License-Identifier: GPL-2.0-only
#include "translate/code_names.h"

#include "base/alloc.h"
#include "decode/codemap/jitdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20, BATCH_BYTES = 1 << 20, MAGIC_BYTES = 4 };
#define FILE_BYTES_MAX (UINT64_C(1) << 30)

struct nt_code_names {
	int fd; /* borrowed */
	uint64_t size, at;
	bool is_jitdump, same_clock, over, unreadable, cut;
	struct nt_perfmap_parser map;
	struct nt_jitdump_parser dump;
	struct nt_jitdump_lines found; /* of a perf map: its lines alone */
	size_t told;                   /* of these */
	const char *text;              /* that they were found in: from here on in the chunk */
	size_t parsed, length;         /* of the chunk */
	char chunk[CHUNK_BYTES];
};

struct nt_code_names *nt_code_names_open(int fd, bool same_clock)
{
	struct nt_code_names *names = nt_alloc(sizeof(*names));
	struct stat stat;
	names->fd = fd;
	names->same_clock = same_clock;
	names->size = fstat(fd, &stat) == 0 ? (uint64_t)stat.st_size : 0;
	names->size = names->size < FILE_BYTES_MAX ? names->size : FILE_BYTES_MAX;
	return names;
}

void nt_code_names_free(struct nt_code_names *names)
{
	free(names);
}

/* ---- reading ---- */

/* What of the chunk was no whole line is read again. */
static bool read_chunk(struct nt_code_names *names)
{
	ssize_t got;
	names->at += names->dump.skip;
	names->dump.skip = 0;
	names->cut |= names->at > names->size;
	if (names->at >= names->size)
		return false;
	while ((got = pread(names->fd, names->chunk, CHUNK_BYTES, (off_t)names->at)) < 0 && errno == EINTR)
		continue;
	names->unreadable |= got <= 0;
	if (got <= 0)
		return false;
	if (!names->at)
		names->is_jitdump = got > MAGIC_BYTES && memcmp(names->chunk, "DTiJ", MAGIC_BYTES) == 0;
	names->length = (size_t)got;
	names->parsed = 0;
	return true;
}

/* False: there are no more. */
static bool find_more(struct nt_code_names *names)
{
	names->told = 0;
	do {
		if (names->parsed == names->length && !read_chunk(names))
			return false;
		names->text = names->chunk + names->parsed;
		size_t left = names->length - names->parsed;
		size_t used = names->is_jitdump ? nt_jitdump_parse(&names->dump, names->text, left, &names->found)
						: nt_perfmap_parse(&names->map, names->text, left, &names->found.lines);
		bool all = names->found.lines.count < NT_PERFMAP_LINES;
		names->cut |= all && !used;
		names->at += used;
		names->parsed = all ? names->length : names->parsed + used;
		if (all && !used)
			return false; /* the last one has no end */
	} while (!names->found.lines.count);
	return true;
}

/* ---- telling ---- */

static void tell(const struct nt_translation *translation, struct nt_outbox *box, nt_time from, const struct nt_batch_line *lines,
		 size_t count, const char *text)
{
	nt_time time = from ? from : translation->start;
	struct nt_event *event = nt_outbox_add(box, NT_EV_CODE, time, translation->pid, 0);
	event->u.code = (struct nt_ev_code){ .from = from, .first = (uint32_t)nt_outbox_batch(box)->line_count };
	nt_batch_add_lines(nt_outbox_batch(box), lines, count, text);
	if (nt_outbox_batch(box)->byte_count > BATCH_BYTES)
		nt_translation_send(translation, box);
}

/* True: some of what was found is of later. */
static bool tell_found(struct nt_code_names *names, nt_time until, const struct nt_translation *translation, struct nt_outbox *box)
{
	const struct nt_perfmap_lines *lines = &names->found.lines;
	bool timed = names->is_jitdump && names->same_clock;
	if (!timed && names->told < lines->count)
		tell(translation, box, 0, lines->items + names->told, lines->count - names->told, names->text);
	names->told = timed ? names->told : lines->count;
	for (; names->told < lines->count; names->told++) {
		nt_time time = names->found.times[names->told];
		if (time > until)
			return true;
		tell(translation, box, time > translation->start ? time : 0, &lines->items[names->told], 1, names->text);
	}
	return false;
}

void nt_code_names_tell(struct nt_code_names *names, nt_time until, const struct nt_translation *translation, struct nt_outbox *box)
{
	while (!names->over && !tell_found(names, until, translation, box))
		names->over = !find_more(names);
}

struct nt_code_names_said nt_code_names_said(const struct nt_code_names *names)
{
	return (struct nt_code_names_said){ .line_count = names->map.line_count + names->dump.line_count,
					    .bad_count = names->map.bad_count + names->dump.bad_count,
					    .unreadable = names->unreadable,
					    .cut = names->cut };
}
