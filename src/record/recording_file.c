// SPDX-License-Identifier: GPL-2.0-only
#include "record/recording_file.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/*
 * A tick may close an interval, which costs far more than the hundredth of a byte that each of a million equal ones is packed into. nettop writes some ten bytes or more with each, for what has come by then;
 * where nothing but time passes, as in a file of another tool, the seconds of a day and a half are free.
 */
enum { TICK_BYTES = 2, TICKS_FREE = 1 << 17 };

enum { PIECE_BYTES = 128 << 10, UNPACK_BYTES = 128 << 10, WINDOW_LOG_MAX = 23 };

struct nt_recording_file {
	int fd;
	char *path; /* owned */
	ZSTD_DCtx *unpacker;
	char *piece; /* owned: bytes of the file, [piece_at .. piece_end) of them not taken yet */
	size_t piece_at, piece_end;
	uint64_t offset; /* in the file, of the next byte to be taken */
	char *frame;     /* owned: what a frame unpacks to */
	size_t frame_capacity, frame_length;
	uint64_t frame_offset; /* where it begins */
	uint64_t tick_count;   /* of those that may have closed an interval */
	nt_time tick_counted;
	struct nt_reader records;
	struct nt_recording_read read;
	int problem;  /* errno: it cannot be read */
	bool settled; /* its settings were there */
	bool over;    /* there is nothing more to read */
	struct nt_recording_end end;
};

/* ---- bytes of the file ---- */

/* More bytes, if there are any. False: they cannot be read. */
static bool fill(struct nt_recording_file *file)
{
	if (file->piece_at < file->piece_end)
		return true;
	ssize_t count;
	do
		count = read(file->fd, file->piece, PIECE_BYTES);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		file->problem = errno;
	file->piece_at = 0;
	file->piece_end = count > 0 ? (size_t)count : 0;
	return count >= 0;
}

/* Returns how many there were. */
static size_t take_bytes(struct nt_recording_file *file, void *to, size_t size)
{
	size_t done = 0;
	while (done < size && fill(file) && file->piece_at < file->piece_end) {
		size_t there = file->piece_end - file->piece_at, part = there < size - done ? there : size - done;
		if (to)
			memcpy((char *)to + done, file->piece + file->piece_at, part);
		file->piece_at += part;
		file->offset += part;
		done += part;
	}
	return done;
}

static uint32_t u32_in(const char *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* ---- the header ---- */

static enum nt_status cannot_be_read(const struct nt_recording_file *file, struct nt_error *err)
{
	return nt_error_errno(err, NT_ERR_FAILED, file->problem, "cannot read %s", file->path);
}

static enum nt_status judge(const struct nt_recording_file *file, bool whole, const char header[NT_RECORDING_HEADER_BYTES],
			    struct nt_error *err)
{
	enum { MAGIC = sizeof(NT_RECORDING_MAGIC) - 1 };
	if (file->problem)
		return cannot_be_read(file, err);
	if (!whole || u32_in(header) != NT_RECORDING_SKIP || u32_in(header + 4) != NT_RECORDING_SAID_BYTES ||
	    memcmp(header + 8, NT_RECORDING_MAGIC, MAGIC) != 0)
		return nt_error_set(err, NT_ERR_MALFORMED, "%s is no recording of nettop", file->path);
	uint32_t version = u32_in(header + 8 + MAGIC), format = u32_in(header + 8 + MAGIC + 4);
	if (version != NT_RECORDING_VERSION)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "%s is a recording of version %" PRIu32 ", of another nettop: this one reads version %d", file->path,
				    version, NT_RECORDING_VERSION);
	if (format != NT_EVENT_FORMAT)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "%s has events of format %" PRIu32 ", of another nettop: this one reads format %d", file->path, format,
				    NT_EVENT_FORMAT);
	return NT_OK;
}

enum nt_status nt_recording_file_take(int fd, const char *path, struct nt_recording_file **out, struct nt_error *err)
{
	char header[NT_RECORDING_HEADER_BYTES] = { 0 };
	struct nt_recording_file *file = nt_alloc(sizeof(*file));
	*file = (struct nt_recording_file){
		.fd = fd, .path = nt_strdup(path), .unpacker = ZSTD_createDCtx(), .piece = nt_alloc(PIECE_BYTES)
	};
	nt_assert(file->unpacker);
	ZSTD_DCtx_setParameter(file->unpacker, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	nt_recording_read_init(&file->read);
	bool whole = take_bytes(file, header, sizeof(header)) == sizeof(header);
	enum nt_status status = judge(file, whole, header, err);
	if (status != NT_OK) {
		nt_recording_file_free(file);
		return status;
	}
	*out = file;
	return NT_OK;
}

enum nt_status nt_recording_file_open_fd(const char *path, int *fd, struct nt_error *err)
{
	int reason;
	struct stat st;
	bool regular = false;
	struct nt_plain_rights rights = nt_plain_rights_begin();
	int named = open(path, NT_FILE_NAMED);
	reason = named < 0 ? errno : 0;
	if (named >= 0) {
		regular = fstat(named, &st) == 0 && S_ISREG(st.st_mode);
		reason = regular ? nt_file_open_named(named, fd) : 0;
		close(named);
	}
	nt_plain_rights_end(rights);
	if (reason)
		return nt_error_errno(err, reason == EACCES || reason == EPERM ? NT_ERR_FORBIDDEN : NT_ERR_USAGE, reason, "cannot read %s",
				      path);
	if (!regular)
		return nt_error_set(err, NT_ERR_USAGE, "%s is no regular file", path);
	return NT_OK;
}

enum nt_status nt_recording_file_open(const char *path, struct nt_recording_file **out, struct nt_error *err)
{
	int fd;
	enum nt_status status = nt_recording_file_open_fd(path, &fd, err);
	return status == NT_OK ? nt_recording_file_take(fd, path, out, err) : status;
}

void nt_recording_file_free(struct nt_recording_file *file)
{
	if (!file)
		return;
	close(file->fd);
	nt_recording_read_fini(&file->read);
	ZSTD_freeDCtx(file->unpacker);
	free(file->piece);
	free(file->frame);
	free(file->path);
	free(file);
}

/* ---- frames ---- */

static enum nt_status is_damaged(const struct nt_recording_file *file, const char *how, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_MALFORMED, "%s is damaged at byte %" PRIu64 ": %s", file->path, file->frame_offset, how);
}

/* The file ends in the middle of something, or where something should be. */
static enum nt_status is_cut(struct nt_recording_file *file, struct nt_error *err)
{
	if (file->problem)
		return cannot_be_read(file, err);
	file->over = true;
	file->end.rest_bytes = file->offset - file->frame_offset;
	return NT_END;
}

static enum nt_status take_index(struct nt_recording_file *file, uint32_t bytes, struct nt_error *err)
{
	if (take_bytes(file, NULL, bytes) < bytes)
		return is_cut(file, err);
	if (bytes != file->end.frame_count * NT_RECORDING_INDEX_BYTES)
		return is_damaged(file, "its index is of another number of frames", err);
	if (take_bytes(file, NULL, 1))
		return is_damaged(file, "there is more behind its end", err);
	file->over = file->end.finished = true;
	return NT_END;
}

/* Unpack what is there of the frame. NT_AGAIN: it goes on. */
static enum nt_status unpack(struct nt_recording_file *file, struct nt_error *err)
{
	if (file->frame_length > NT_RECORDING_FRAME_MAX)
		return is_damaged(file, "a frame is larger than any that nettop writes", err);
	file->frame = nt_grow(file->frame, &file->frame_capacity, file->frame_length + UNPACK_BYTES, 1);
	ZSTD_inBuffer in = { .src = file->piece, .size = file->piece_end, .pos = file->piece_at };
	ZSTD_outBuffer out = { .dst = file->frame, .size = file->frame_length + UNPACK_BYTES, .pos = file->frame_length };
	size_t left = ZSTD_decompressStream(file->unpacker, &out, &in);
	file->offset += in.pos - file->piece_at;
	file->piece_at = in.pos;
	file->frame_length = out.pos;
	if (ZSTD_isError(left))
		return is_damaged(file, ZSTD_getErrorName(left), err);
	return left ? NT_AGAIN : NT_OK;
}

/* What is packed is given out when all of it is there, and its checksum is right. */
static enum nt_status take_frame(struct nt_recording_file *file, const char begin[8], struct nt_error *err)
{
	ZSTD_inBuffer in = { .src = begin, .size = 8 };
	ZSTD_outBuffer out = { .dst = NULL };
	ZSTD_DCtx_reset(file->unpacker, ZSTD_reset_session_only);
	file->frame_length = 0;
	size_t left = ZSTD_decompressStream(file->unpacker, &out, &in);
	if (ZSTD_isError(left) || in.pos < in.size)
		return is_damaged(file, ZSTD_isError(left) ? ZSTD_getErrorName(left) : "there is no frame", err);
	for (enum nt_status status = NT_AGAIN; status == NT_AGAIN;) {
		if (!fill(file))
			return cannot_be_read(file, err);
		bool ended = file->piece_at == file->piece_end;
		size_t before = file->frame_length;
		status = unpack(file, err);
		if (status < 0)
			return status;
		if (status == NT_AGAIN && ended && file->frame_length == before)
			return is_cut(file, err);
	}
	file->end.frame_count++;
	file->records = nt_reader_of(file->frame, file->frame_length);
	nt_recording_read_frame(&file->read);
	return NT_OK;
}

static enum nt_status next_frame(struct nt_recording_file *file, struct nt_error *err)
{
	char begin[8];
	file->frame_offset = file->offset;
	if (take_bytes(file, begin, sizeof(begin)) < sizeof(begin))
		return is_cut(file, err);
	if (u32_in(begin) == NT_RECORDING_SKIP_INDEX)
		return take_index(file, u32_in(begin + 4), err);
	return take_frame(file, begin, err);
}

static enum nt_status next_input(struct nt_recording_file *file, struct nt_recording_input *out, struct nt_error *err)
{
	enum nt_status status = NT_END;
	while ((status = nt_recording_read_next(&file->read, &file->records, out, err)) == NT_END) {
		status = file->over ? NT_END : next_frame(file, err);
		if (status != NT_OK)
			return status;
	}
	if (status < 0)
		nt_error_wrap(err, "%s is damaged in the frame at byte %" PRIu64, file->path, file->frame_offset);
	return status;
}

static bool has_too_many_ticks(struct nt_recording_file *file, const struct nt_tick *tick)
{
	if (tick->how != NT_TICK_DUE || tick->now >= file->tick_counted + NT_INTERVAL_MIN_NS) {
		file->tick_count++;
		file->tick_counted = tick->now;
	}
	return file->tick_count > TICKS_FREE + file->offset / TICK_BYTES;
}

enum nt_status nt_recording_file_next(struct nt_recording_file *file, struct nt_recording_input *out, struct nt_error *err)
{
	enum nt_status status = next_input(file, out, err);
	if (status == NT_OK && (out->what == NT_RECORDED_SETTINGS) == file->settled)
		status = is_damaged(file, file->settled ? "its settings come twice" : "its settings are missing", err);
	if (status == NT_OK && out->what == NT_RECORDED_TICK && has_too_many_ticks(file, &out->tick))
		status = is_damaged(file, "it has more ticks than nettop writes in so many bytes", err);
	if (status < 0) {
		file->over = true;
		file->records = nt_reader_of(NULL, 0);
	}
	file->settled = true;
	return status;
}

struct nt_recording_end nt_recording_file_end(const struct nt_recording_file *file)
{
	struct nt_recording_end end = file->end;
	const struct nt_recording_read *read = &file->read;
	end.last = read->now;
	end.unknown = read->unknown_records + read->unknown_kinds + read->unknown_fields + read->unknown_by;
	return end;
}
