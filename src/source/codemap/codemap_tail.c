// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_tail.h"

#include "base/alloc.h"
#include "target/process/cgroup_memory.h"
#include "target/process/perf_map_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TORN_LEAST = 3 }; /* looks after which nobody is thought to write the rest of a record any more */

enum { SPARED_MOST = 3 }; /* looks in a row that trust a file because it grows */

/* Read at a time: with names, which stay in the text until the look is over; without, what stays in the cache until it is parsed. */
enum { NAMES_BYTES = 512 << 10, PIECE_BYTES = 128 << 10 };

/* No piece is begun after that: a slow file is not to look like one that hangs. */
#define LOOK_NS (NT_FILES_TIMEOUT_NS / 8)

/* The kernel sums up over all CPUs for the answer. */
#define ROOM_NS NT_NS_PER_S

/* Bytes that were there when they were read: if they differ now, the file is not what it was. */
struct mark {
	uint64_t at;
	size_t length;
	char bytes[64];
};

/* One errand, used again and again; an abandoned one keeps the descriptor, and the next starts from nothing. */
struct look {
	struct nt_errand errand;
	/* In: copies, because the errand may outlive the target. */
	char *root_dir, *proc_dir, *path;
	int64_t started_at_ns;
	uid_t uid;
	/* Kept between looks. */
	int fd;           /* -1 = none; owned */
	bool copied;      /* what is read is a copy, and grows no more */
	struct stat held; /* of the file, when it was opened */
	uint64_t offset;  /* of what is not parsed yet */
	struct mark head, last;
	struct timespec mtime;
	uint64_t size;
	struct nt_perf_map_room room;
	nt_time room_at;       /* when it is asked for again */
	unsigned walks_spared; /* looks since the path was walked */
	unsigned torn_looks;   /* looks in a row that found the same end, within a record */
	bool changed;
	/* In; what is read again is written here, too. */
	enum { LOOK, READ_BACK, READ_CODE } step;
	struct nt_codemap_piece pieces[NT_CODEMAP_PIECES_MAX];
	size_t piece_count;
	struct nt_jitdump_wanted wanted;
	struct nt_jitdump_code code;
	/* Out. */
	struct nt_foreign_file file;
	bool restarted, target_gone, too_large, stale, more;
	bool filled; /* there may be more in the two below than a trickle of lines fills, since nt_codemap_tail_rest() */
	struct nt_codemap_lines lines;
	char text[NAMES_BYTES];
};

struct nt_codemap_tail {
	const struct nt_files_target *target;
	struct nt_hand *hand;
	struct look *look;
};

static void start_over(struct look *look)
{
	look->restarted = look->offset > 0;
	look->changed |= look->restarted;
	look->offset = 0;
	nt_codemap_lines_restart(&look->lines);
	look->head.length = look->last.length = 0;
}

static void drop_file(struct look *look)
{
	if (look->fd >= 0)
		close(look->fd);
	look->fd = -1;
}

static bool mark_holds(const struct look *look, const struct mark *mark)
{
	char now[sizeof(mark->bytes)];
	return nt_foreign_read(look->fd, now, mark->length, (off_t)mark->at) == (ssize_t)mark->length &&
	       memcmp(now, mark->bytes, mark->length) == 0;
}

/* Which file is it now? Leaves it in look->fd, -1 when there is none to read. */
static void find_file(struct look *look)
{
	struct nt_foreign_file now = nt_foreign_open(look->root_dir, look->path, look->uid);
	look->file = now;
	look->file.fd = -1;
	if (now.refusal == NT_REFUSAL_NO_ROOT && (now.errnum == ENOENT || now.errnum == ESRCH)) {
		look->target_gone = true;
		return; /* what we hold may have a last line */
	}
	bool same = now.fd >= 0 && look->fd >= 0 && look->held.st_dev == now.stat.st_dev && look->held.st_ino == now.stat.st_ino;
	if (same && !now.copied) {
		close(now.fd);
		return;
	}
	drop_file(look);
	look->fd = now.fd;
	look->copied = now.copied;
	look->held = now.stat;
	if (same)
		return;
	look->room_at = 0;
	if (now.fd >= 0)
		start_over(look);
}

/* The file as it is now, or, of a copy, as it was then. */
static bool see(const struct look *look, struct stat *stat)
{
	if (look->fd < 0 || (!look->copied && fstat(look->fd, stat) != 0))
		return false;
	if (look->copied)
		*stat = look->held;
	return true;
}

/* Asked at each look: the runtime may begin to write it. */
static void drop_stale(struct look *look)
{
	struct stat stat;
	look->stale = see(look, &stat) && nt_perf_map_is_stale(look->proc_dir, look->started_at_ns, &stat);
	if (look->stale)
		drop_file(look);
}

/* What grows is what the runtime writes to: walking to it again, through links that may be traps, would tell nothing new. */
static bool still_grows(struct look *look)
{
	struct stat stat;
	bool grows = !look->copied && !look->file.refusal && see(look, &stat) && (uint64_t)stat.st_size > look->size;
	look->walks_spared = grows && look->walks_spared < SPARED_MOST ? look->walks_spared + 1 : 0;
	return look->walks_spared > 0;
}

/* The first `bytes` of the text were parsed. */
static void consume(struct look *look, size_t bytes)
{
	size_t keep = bytes < sizeof(look->last.bytes) ? bytes : sizeof(look->last.bytes);
	if (!bytes)
		return;
	if (look->offset == 0) {
		look->head = (struct mark){ .at = 0, .length = keep };
		memcpy(look->head.bytes, look->text, keep);
	}
	look->last = (struct mark){ .at = look->offset + bytes - keep, .length = keep };
	memcpy(look->last.bytes, look->text + bytes - keep, keep);
	look->offset += bytes;
}

/* False: the file cannot be read, errno says why. */
static bool read_piece(struct look *look)
{
	enum { TRICKLE_BYTES = 2 << 10 }; /* of the shortest lines 8 KB in any array */
	size_t size = look->lines.name_bytes ? NAMES_BYTES : PIECE_BYTES;
	ssize_t got = nt_foreign_read(look->fd, look->text, size, (off_t)look->offset);
	look->filled |= got > TRICKLE_BYTES;
	if (got > 0)
		consume(look, nt_codemap_lines_add(&look->lines, look->text, (size_t)got, look->offset));
	look->more = (got == (ssize_t)size || nt_codemap_lines_full(&look->lines)) && look->offset < NT_CODEMAP_TAIL_LIMIT;
	return got >= 0;
}

/* Piece by piece, until one has names: they are in the text, which the next one would overwrite. */
static bool read_lines(struct look *look)
{
	nt_time end = nt_clock_now() + LOOK_NS;
	bool read = true;
	do
		read = read_piece(look);
	while (read && look->more && !look->lines.named_count && !nt_codemap_lines_full(&look->lines) && nt_clock_now() < end);
	return read;
}

static void measure_room(struct look *look)
{
	nt_time now = nt_clock_now();
	if (now < look->room_at || look->copied)
		return;
	look->room = nt_perf_map_free(look->fd, look->proc_dir, NT_CGROUP_ROOT);
	look->room_at = now + ROOM_NS;
}

static void read_file(struct look *look)
{
	struct stat stat;
	if (!see(look, &stat))
		return;
	uint64_t size = (uint64_t)stat.st_size;
	bool unchanged = size == look->size && stat.st_mtim.tv_sec == look->mtime.tv_sec && stat.st_mtim.tv_nsec == look->mtime.tv_nsec;
	if (!unchanged && (size < look->offset || !mark_holds(look, &look->head) || !mark_holds(look, &look->last)))
		start_over(look);
	look->torn_looks = unchanged && look->lines.dump.skip ? look->torn_looks + 1 : 0;
	look->size = size;
	measure_room(look);
	look->mtime = stat.st_mtim;
	look->too_large = size > NT_CODEMAP_TAIL_LIMIT;
	if (look->offset >= size || look->offset >= NT_CODEMAP_TAIL_LIMIT)
		return;
	if (!read_lines(look))
		look->file = (struct nt_foreign_file){ .fd = -1, .refusal = NT_REFUSAL_ERRNO, .errnum = errno, .stat = stat };
}

/* May what was read before be read again, and is it there? */
static bool still_ours(const struct look *look, struct stat *stat)
{
	return see(look, stat) && (stat->st_uid == look->uid || stat->st_uid == 0) && mark_holds(look, &look->head) &&
	       mark_holds(look, &look->last);
}

static void read_back(struct look *look)
{
	struct stat stat;
	for (size_t i = 0; i < look->piece_count; i++)
		look->pieces[i].length = 0;
	if (!still_ours(look, &stat))
		return;
	char *text = look->text;
	look->filled = true;
	for (size_t i = 0; i < look->piece_count; i++) {
		struct nt_codemap_piece *piece = &look->pieces[i];
		ssize_t got = nt_foreign_read(look->fd, text, piece->size, (off_t)piece->offset);
		piece->length = got > 0 ? (size_t)got : 0;
		piece->text = text;
		text += piece->size;
	}
}

static void read_code(struct look *look)
{
	struct stat stat;
	struct nt_jitdump_code *code = &look->code;
	*code = (struct nt_jitdump_code){ 0 };
	if (!still_ours(look, &stat))
		return;
	uint64_t size = (uint64_t)stat.st_size < NT_CODEMAP_TAIL_LIMIT ? (uint64_t)stat.st_size : NT_CODEMAP_TAIL_LIMIT;
	look->filled = true;
	nt_jitdump_code_find(look->fd, size, &look->wanted, look->text, nt_clock_now() + NT_FILES_TIMEOUT_NS / 2, code);
	if (code->length && nt_foreign_read(look->fd, look->text, code->length, (off_t)code->offset) != (ssize_t)code->length)
		code->length = 0;
	code->bytes = (const uint8_t *)look->text;
}

static void look_at_file(struct look *look)
{
	look->restarted = look->target_gone = look->too_large = look->more = false;
	nt_codemap_lines_clear(&look->lines);
	if (!still_grows(look))
		find_file(look);
	drop_stale(look);
	if (look->fd >= 0)
		read_file(look);
}

static void run(struct nt_errand *errand)
{
	static void (*const steps[])(struct look *) = { [LOOK] = look_at_file, [READ_BACK] = read_back, [READ_CODE] = read_code };
	struct look *look = (struct look *)errand;
	steps[look->step](look);
}

static void release(struct nt_errand *errand)
{
	struct look *look = (struct look *)errand;
	drop_file(look);
	free(look->root_dir);
	free(look->proc_dir);
	free(look->path);
	free(look);
}

static struct look *new_look(const struct nt_files_target *target)
{
	struct look *look = nt_alloc(sizeof(*look));
	look->errand = (struct nt_errand){ .run = run, .release = release };
	look->root_dir = nt_strdup(target->root_dir);
	look->proc_dir = nt_strdup(target->proc_dir);
	look->started_at_ns = target->started_at_ns;
	look->path = nt_strdup(target->map_path);
	look->uid = target->uid;
	look->lines.is_jitdump = target->is_jitdump;
	look->fd = -1;
	return look;
}

struct nt_codemap_tail *nt_codemap_tail_new(const struct nt_files_target *target, struct nt_hand *hand)
{
	struct nt_codemap_tail *tail = nt_alloc(sizeof(*tail));
	*tail = (struct nt_codemap_tail){ .target = target, .hand = hand };
	return tail;
}

void nt_codemap_tail_free(struct nt_codemap_tail *tail)
{
	if (!tail)
		return;
	if (tail->look)
		release(&tail->look->errand);
	free(tail);
}

void nt_codemap_tail_look(struct nt_codemap_tail *tail, size_t name_bytes, struct nt_codemap_look *out)
{
	bool fresh = !tail->look;
	if (fresh)
		tail->look = new_look(tail->target);
	struct look *look = tail->look;
	look->step = LOOK;
	look->lines.name_bytes = name_bytes;
	*out = (struct nt_codemap_look){ .file.fd = -1 };
	out->status = nt_hand_do(tail->hand, &look->errand, NT_FILES_TIMEOUT_NS);
	if (out->status != NT_OK) {
		tail->look = NULL;
		return;
	}
	out->file = look->file;
	if (look->target_gone)
		out->status = NT_ERR_GONE;
	else if (look->file.refusal || look->stale)
		out->status = NT_ERR_FAILED;
	out->stale = look->stale;
	out->lines = &look->lines;
	out->text = look->text;
	out->restarted = look->restarted || fresh;
	out->changed = look->changed;
	out->more = look->more;
	out->too_large = look->too_large;
	out->torn = look->torn_looks >= TORN_LEAST;
	out->size = look->fd >= 0 ? look->size : 0;
	out->room = look->room;
}

/* The whole pages of an array beyond those that a trickle of lines fills: they are read as zeros from now on. */
static void give_back(void *array, size_t bytes)
{
	enum { KEPT = 16 << 10, PAGE = 4096 };
	uintptr_t from = ((uintptr_t)array + KEPT + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)array + bytes) & ~(uintptr_t)(PAGE - 1);
	if (from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

void nt_codemap_tail_rest(struct nt_codemap_tail *tail)
{
	struct look *look = tail->look;
	if (!look)
		return;
	struct nt_codemap_lines *lines = &look->lines;
	nt_codemap_lines_clear(lines);
	if (!look->filled)
		return;
	look->filled = false;
	give_back(lines->named, sizeof(lines->named));
	give_back(lines->named_times, sizeof(lines->named_times));
	give_back(lines->methods.items, sizeof(lines->methods.items));
	give_back(lines->stubs.items, sizeof(lines->stubs.items));
	give_back(look->text, sizeof(look->text));
}

void nt_codemap_tail_read_back(struct nt_codemap_tail *tail, struct nt_codemap_piece *pieces, size_t count)
{
	struct look *look = tail->look;
	size_t sum = 0;
	for (size_t i = 0; i < count; i++) {
		pieces[i].length = 0;
		sum += pieces[i].size;
	}
	nt_assert(count <= NT_CODEMAP_PIECES_MAX && sum <= NT_CODEMAP_PIECES_BYTES);
	if (!look || !count)
		return;
	memcpy(look->pieces, pieces, count * sizeof(*pieces));
	look->piece_count = count;
	look->step = READ_BACK;
	if (nt_hand_do(tail->hand, &look->errand, NT_FILES_TIMEOUT_NS) == NT_OK)
		memcpy(pieces, look->pieces, count * sizeof(*pieces));
	else
		tail->look = NULL;
}

void nt_codemap_tail_read_code(struct nt_codemap_tail *tail, const struct nt_jitdump_wanted *wanted, struct nt_jitdump_code *out)
{
	struct look *look = tail->look;
	*out = (struct nt_jitdump_code){ 0 };
	if (!look || !tail->target->is_jitdump || wanted->end <= wanted->start)
		return;
	nt_assert(wanted->end - wanted->start <= NT_CODEMAP_TAIL_CODE_MAX);
	look->wanted = *wanted;
	look->step = READ_CODE;
	if (nt_hand_do(tail->hand, &look->errand, NT_FILES_TIMEOUT_NS) == NT_OK)
		*out = look->code;
	else
		tail->look = NULL;
}
