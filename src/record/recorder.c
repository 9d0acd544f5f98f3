// SPDX-License-Identifier: GPL-2.0-only
#include "record/recorder.h"

#include "base/own_folder.h"
#include "base/plain_rights.h"
#include "record/recording_put.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* A frame is closed when it has one of both: larger ones are packed better, and who is killed loses more. */
enum { FRAME_BYTES = 512 << 10, LEVEL = 3 };
#define FRAME_NS (3 * NT_NS_PER_S)

struct entry {
	uint64_t offset;
	nt_time first;
};

struct nt_recorder {
	int fd;        /* -1: it is closed */
	bool is_named; /* in a folder; not so: it is in no file that somebody could find */
	char *path;    /* owned */
	uint64_t limit_bytes;
	struct nt_recording_put put;
	nt_time frame_first, frame_last; /* ticks of the open frame; 0 = none yet */
	uint64_t frame_events;           /* in it */
	ZSTD_CCtx *packer;               /* owned */
	char *packed;                    /* owned */
	size_t packed_capacity;
	struct entry *index; /* owned */
	size_t index_count, index_capacity;
	struct nt_recorder_said said;
	bool full;
	struct nt_error problem; /* no cause: none */
};

/* ---- the file ---- */

static int create(const char *path)
{
	const char *name;
	int folder = nt_own_folder_open(path, false, &name);
	if (folder < 0)
		return -1;
	struct nt_plain_rights rights = nt_plain_rights_begin();
	int fd = openat(folder, name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), reason = errno;
	nt_plain_rights_end(rights);
	close(folder);
	errno = reason;
	return fd;
}

static bool has_problem(const struct nt_recorder *recorder)
{
	return recorder->problem.cause_count;
}

/* Whoever reads the file is to find whole frames. If that cannot be done either, he finds out that the last one is not. */
static void give_up(struct nt_recorder *recorder, int reason)
{
	nt_error_errno(&recorder->problem, NT_ERR_FAILED, reason, "no more is recorded in %s", recorder->path);
	if (recorder->is_named)
		(void)!ftruncate(recorder->fd, (off_t)recorder->said.bytes);
}

/* All of it, or a problem. One call writes it, unless a signal comes or the disk is nearly full. */
static void write_all(struct nt_recorder *recorder, const char *bytes, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t count = write(recorder->fd, bytes + done, length - done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			give_up(recorder, count ? errno : EIO);
			return;
		}
		done += (size_t)count;
	}
	recorder->said.bytes += length;
}

static void put_word(struct nt_text_buffer *out, uint64_t value, size_t size)
{
	nt_text_put_bytes(out, (const char *)&value, size); /* nettop runs on little-endian machines only */
}

static void write_header(struct nt_recorder *recorder)
{
	struct nt_text_buffer out = { 0 };
	put_word(&out, NT_RECORDING_SKIP, 4);
	put_word(&out, NT_RECORDING_SAID_BYTES, 4);
	nt_text_put(&out, NT_RECORDING_MAGIC);
	put_word(&out, NT_RECORDING_VERSION, 4);
	put_word(&out, NT_EVENT_FORMAT, 4);
	nt_assert(out.length == NT_RECORDING_HEADER_BYTES);
	write_all(recorder, out.bytes, out.length);
	nt_text_buffer_fini(&out);
}

struct nt_recorder *nt_recorder_take(int fd, const char *name, uint64_t limit_bytes)
{
	struct nt_recorder *recorder = nt_alloc(sizeof(*recorder));
	*recorder = (struct nt_recorder){ .fd = fd, .path = nt_strdup(name), .limit_bytes = limit_bytes, .packer = ZSTD_createCCtx() };
	nt_assert(recorder->packer);
	ZSTD_CCtx_setParameter(recorder->packer, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(recorder->packer, ZSTD_c_checksumFlag, 1);
	nt_recording_put_init(&recorder->put);
	write_header(recorder);
	return recorder;
}

enum nt_status nt_recorder_open(const char *path, uint64_t limit_bytes, struct nt_recorder **out, struct nt_error *err)
{
	int fd = create(path);
	if (fd < 0 && errno == EEXIST)
		return nt_error_set(err, NT_ERR_USAGE, "%s is there already; name a file that is not", path);
	if (fd < 0)
		return nt_error_errno(err, errno == EACCES || errno == EPERM || errno == EROFS ? NT_ERR_FORBIDDEN : NT_ERR_FAILED, errno,
				      "cannot make %s", path);
	*out = nt_recorder_take(fd, path, limit_bytes);
	(*out)->is_named = true;
	return NT_OK;
}

/* ---- frames ---- */

static uint64_t index_bytes(size_t count)
{
	return 8 + count * NT_RECORDING_INDEX_BYTES;
}

/* Is there room for such a frame, and for the index with it? */
static bool fits(const struct nt_recorder *recorder, size_t length)
{
	return !recorder->limit_bytes || recorder->said.bytes + length + index_bytes(recorder->index_count + 1) <= recorder->limit_bytes;
}

static void write_frame(struct nt_recorder *recorder, size_t length)
{
	const struct entry entry = { .offset = recorder->said.bytes, .first = recorder->frame_first };
	write_all(recorder, recorder->packed, length);
	if (has_problem(recorder))
		return;
	recorder->index = nt_grow(recorder->index, &recorder->index_capacity, recorder->index_count + 1, sizeof(*recorder->index));
	recorder->index[recorder->index_count++] = entry;
	recorder->said.first = recorder->said.first ? recorder->said.first : recorder->frame_first;
	recorder->said.last = recorder->frame_last ? recorder->frame_last : recorder->said.last;
	recorder->said.event_count += recorder->frame_events;
}

static void close_frame(struct nt_recorder *recorder)
{
	const struct nt_text_buffer *records = &recorder->put.out;
	if (!records->length || has_problem(recorder) || recorder->full)
		return;
	size_t most = ZSTD_compressBound(records->length);
	recorder->packed = nt_grow(recorder->packed, &recorder->packed_capacity, most, 1);
	size_t length = ZSTD_compress2(recorder->packer, recorder->packed, most, records->bytes, records->length);
	nt_assert(!ZSTD_isError(length));
	recorder->full = !fits(recorder, length);
	if (!recorder->full)
		write_frame(recorder, length);
	nt_recording_put_frame(&recorder->put);
	recorder->frame_first = recorder->frame_last = recorder->frame_events = 0;
}

static bool goes_on(const struct nt_recorder *recorder)
{
	return recorder->fd >= 0 && !recorder->full && !has_problem(recorder);
}

void nt_recorder_settings(struct nt_recorder *recorder, const struct nt_model_config *config, int64_t realtime_offset_ns)
{
	nt_recording_put_settings(&recorder->put, config, realtime_offset_ns);
}

void nt_recorder_note(struct nt_recorder *recorder, const char *note)
{
	if (goes_on(recorder))
		nt_recording_put_note(&recorder->put, note);
}

void nt_recorder_batch(struct nt_recorder *recorder, const struct nt_batch *batch)
{
	if (!goes_on(recorder))
		return;
	if (!nt_recording_put_batch(&recorder->put, batch)) {
		close_frame(recorder); /* what came before is whole */
		if (goes_on(recorder))
			nt_error_set(&recorder->problem, NT_ERR_FAILED,
				     "no more is recorded in %s: more came at once than a frame can have", recorder->path);
		return;
	}
	recorder->frame_events += batch->event_count;
	if (recorder->put.out.length >= FRAME_BYTES)
		close_frame(recorder);
}

void nt_recorder_tick(struct nt_recorder *recorder, const struct nt_tick *tick)
{
	if (!goes_on(recorder))
		return;
	nt_recording_put_tick(&recorder->put, tick);
	recorder->frame_first = recorder->frame_first ? recorder->frame_first : tick->now;
	recorder->frame_last = tick->now;
	if (tick->now >= recorder->frame_first + FRAME_NS || recorder->put.out.length >= FRAME_BYTES)
		close_frame(recorder);
}

/* ---- the end ---- */

const char *nt_recorder_problem(const struct nt_recorder *recorder)
{
	return has_problem(recorder) ? recorder->problem.cause[0] : NULL;
}

bool nt_recorder_is_full(const struct nt_recorder *recorder)
{
	return recorder->full;
}

struct nt_recorder_said nt_recorder_said(const struct nt_recorder *recorder)
{
	return recorder->said;
}

static void write_index(struct nt_recorder *recorder)
{
	struct nt_text_buffer out = { 0 };
	put_word(&out, NT_RECORDING_SKIP_INDEX, 4);
	put_word(&out, recorder->index_count * NT_RECORDING_INDEX_BYTES, 4);
	for (size_t i = 0; i < recorder->index_count; i++) {
		put_word(&out, recorder->index[i].offset, 8);
		put_word(&out, recorder->index[i].first, 8);
	}
	write_all(recorder, out.bytes, out.length);
	nt_text_buffer_fini(&out);
}

void nt_recorder_end(struct nt_recorder *recorder)
{
	close_frame(recorder);
	if (!has_problem(recorder))
		write_index(recorder);
	if (!has_problem(recorder) && recorder->is_named && fdatasync(recorder->fd) != 0 &&
	    errno != EINVAL) /* what is no file on a disk has nothing to wait for */
		nt_error_errno(&recorder->problem, NT_ERR_FAILED, errno, "%s is perhaps not on the disk", recorder->path);
	close(recorder->fd);
	recorder->fd = -1;
}

void nt_recorder_free(struct nt_recorder *recorder)
{
	if (!recorder)
		return;
	if (recorder->fd >= 0)
		close(recorder->fd);
	nt_recording_put_fini(&recorder->put);
	ZSTD_freeCCtx(recorder->packer);
	free(recorder->packed);
	free(recorder->index);
	free(recorder->path);
	free(recorder);
}
