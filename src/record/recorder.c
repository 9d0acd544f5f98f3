// SPDX-License-Identifier: GPL-2.0-only
#include "record/recorder.h"

#include "base/alloc.h"
#include "base/own_folder.h"
#include "base/plain_rights.h"
#include "record/lasting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What may wait for a disk that is slow: some quarter of an hour of what is usual. */
enum { WAITING_BYTES = 16 << 20 };

struct entry {
	uint64_t offset;
	nt_time first;
};

struct nt_recorder {
	struct nt_file_writer *writer; /* owned */
	char *path;                    /* owned */
	uint64_t limit_bytes;
	struct nt_framer framer;
	uint64_t offset;         /* of the next frame */
	struct nt_lasting *held; /* owned: what holds of that for which there was no room; NULL = there is room */
	struct nt_tick newest;   /* of all that came: a gap at the end is closed by it */
	nt_time held_until;      /* the newest tick of that */
	struct entry *index;     /* owned */
	size_t index_count, index_capacity;
	bool full, ended;
	struct nt_error problem; /* no cause: none, but perhaps the writer has one */
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

/* The writer's, once it has one. */
static bool has_problem(struct nt_recorder *recorder)
{
	bool at_end;
	int reason = recorder->problem.cause_count ? 0 : nt_file_writer_problem(recorder->writer, &at_end);
	if (reason)
		nt_error_errno(&recorder->problem, NT_ERR_FAILED, reason,
			       at_end ? "%s is perhaps not on the disk" : "no more is recorded in %s", recorder->path);
	return recorder->problem.cause_count;
}

static void put(struct nt_recorder *recorder, struct nt_packed_frame *frame)
{
	nt_file_writer_put(recorder->writer, frame);
	recorder->offset += frame->length;
}

static void put_bytes(struct nt_recorder *recorder, const struct nt_text_buffer *bytes)
{
	struct nt_packed_frame *frame = nt_packed_frame_of(bytes->bytes, bytes->length);
	put(recorder, frame);
	nt_packed_frame_release(frame);
}

static void put_word(struct nt_text_buffer *out, uint64_t value, size_t size)
{
	nt_text_put_bytes(out, (const char *)&value, size); /* nettop runs on little-endian machines only */
}

static void put_header(struct nt_recorder *recorder)
{
	struct nt_text_buffer out = { 0 };
	put_word(&out, NT_RECORDING_SKIP, 4);
	put_word(&out, NT_RECORDING_SAID_BYTES, 4);
	nt_text_put(&out, NT_RECORDING_MAGIC);
	put_word(&out, NT_RECORDING_VERSION, 4);
	put_word(&out, NT_EVENT_FORMAT, 4);
	nt_assert(out.length == NT_RECORDING_HEADER_BYTES);
	put_bytes(recorder, &out);
	nt_text_buffer_fini(&out);
}

static struct nt_recorder *begin(int fd, bool on_disk, const char *name, uint64_t limit_bytes)
{
	struct nt_recorder *recorder = nt_alloc(sizeof(*recorder));
	*recorder = (struct nt_recorder){ .writer = nt_file_writer_new(fd, on_disk), .path = nt_strdup(name), .limit_bytes = limit_bytes };
	nt_framer_init(&recorder->framer);
	put_header(recorder);
	return recorder;
}

struct nt_recorder *nt_recorder_take(int fd, const char *name, uint64_t limit_bytes)
{
	return begin(fd, false, name, limit_bytes);
}

struct nt_recorder *nt_recorder_to(int fd, const char *name, uint64_t limit_bytes)
{
	struct nt_recorder *recorder = begin(fd, true, name, limit_bytes); /* who is killed soon leaves its head */
	nt_file_writer_start(recorder->writer);
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
	*out = nt_recorder_to(fd, path, limit_bytes);
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
	return !recorder->limit_bytes || recorder->offset + length + index_bytes(recorder->index_count + 1) <= recorder->limit_bytes;
}

static bool goes_on(struct nt_recorder *recorder)
{
	return !recorder->ended && !recorder->full && !has_problem(recorder);
}

static void add_frame(struct nt_recorder *recorder, struct nt_packed_frame *frame)
{
	recorder->full = !fits(recorder, frame->length);
	if (recorder->full)
		return;
	recorder->index = nt_grow(recorder->index, &recorder->index_capacity, recorder->index_count + 1, sizeof(*recorder->index));
	recorder->index[recorder->index_count++] = (struct entry){ .offset = recorder->offset, .first = frame->first };
	put(recorder, frame);
}

/* ---- a disk that is slower than what comes ---- */

/* Of what finds no room only what still holds is kept: then names are not missing later. */
static void hold_back(struct nt_recorder *recorder, struct nt_packed_frame *frame)
{
	if (!recorder->held)
		recorder->held = nt_lasting_new(WAITING_BYTES, true);
	recorder->held_until = frame->last ? frame->last : recorder->held_until;
	nt_lasting_add(recorder->held, frame);
}

static struct nt_packed_frame *loss(struct nt_recorder *recorder)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_RECORDING);
	struct nt_event *event = nt_batch_add(batch, NT_EV_LOST, recorder->held_until, 0, 0);
	event->u.lost = (struct nt_ev_lost){
		.count = nt_lasting_left_out(recorder->held), .count_known = 1, .what = NT_LOST_EVENTS, .from = NT_TIME_UNKNOWN
	};
	nt_framer_batch(&recorder->framer, batch);
	nt_batch_free(batch);
	return nt_framer_close(&recorder->framer);
}

/* Loss first: whoever plays it closes the intervals of that time with it. The open frame is empty. */
static void go_on_behind(struct nt_recorder *recorder)
{
	size_t count;
	struct nt_packed_frame *frame = loss(recorder), *const *frames = nt_lasting_frames(recorder->held, &count);
	add_frame(recorder, frame);
	nt_packed_frame_release(frame);
	for (size_t i = 0; i < count && !recorder->full; i++)
		add_frame(recorder, frames[i]);
	nt_lasting_free(recorder->held);
	recorder->held = NULL;
}

static void close_frame(struct nt_recorder *recorder)
{
	size_t waiting = nt_file_writer_waiting(recorder->writer);
	struct nt_packed_frame *frame = nt_framer_close(&recorder->framer);
	if (recorder->held && waiting <= WAITING_BYTES / 2 && goes_on(recorder))
		go_on_behind(recorder);
	if (frame && goes_on(recorder) && (recorder->held || waiting > WAITING_BYTES))
		hold_back(recorder, frame);
	else if (frame && goes_on(recorder))
		add_frame(recorder, frame);
	nt_packed_frame_release(frame);
}

void nt_recorder_frame(struct nt_recorder *recorder, struct nt_packed_frame *frame)
{
	close_frame(recorder);
	if (goes_on(recorder))
		add_frame(recorder, frame);
}

void nt_recorder_settings(struct nt_recorder *recorder, const struct nt_model_config *config, int64_t realtime_offset_ns)
{
	nt_recording_put_settings(&recorder->framer.put, config, realtime_offset_ns);
}

void nt_recorder_note(struct nt_recorder *recorder, const char *note)
{
	if (goes_on(recorder))
		nt_recording_put_note(&recorder->framer.put, note);
}

static void close_due(struct nt_recorder *recorder)
{
	if (nt_framer_is_due(&recorder->framer))
		close_frame(recorder);
}

void nt_recorder_batch(struct nt_recorder *recorder, const struct nt_batch *batch)
{
	if (!goes_on(recorder))
		return;
	if (!nt_framer_batch(&recorder->framer, batch)) {
		close_frame(recorder); /* what came before is whole */
		if (goes_on(recorder))
			nt_error_set(&recorder->problem, NT_ERR_FAILED,
				     "no more is recorded in %s: more came at once than a frame can have", recorder->path);
		return;
	}
	close_due(recorder);
}

void nt_recorder_tick(struct nt_recorder *recorder, const struct nt_tick *tick)
{
	if (!goes_on(recorder))
		return;
	recorder->newest = *tick;
	nt_framer_tick(&recorder->framer, tick);
	close_due(recorder);
}

/* ---- the end ---- */

const char *nt_recorder_problem(struct nt_recorder *recorder)
{
	return has_problem(recorder) ? recorder->problem.cause[0] : NULL;
}

bool nt_recorder_is_full(const struct nt_recorder *recorder)
{
	return recorder->full;
}

struct nt_file_written nt_recorder_said(const struct nt_recorder *recorder)
{
	return nt_file_writer_written(recorder->writer);
}

static void put_index(struct nt_recorder *recorder)
{
	struct nt_text_buffer out = { 0 };
	put_word(&out, NT_RECORDING_SKIP_INDEX, 4);
	put_word(&out, recorder->index_count * NT_RECORDING_INDEX_BYTES, 4);
	for (size_t i = 0; i < recorder->index_count; i++) {
		put_word(&out, recorder->index[i].offset, 8);
		put_word(&out, recorder->index[i].first, 8);
	}
	put_bytes(recorder, &out);
	nt_text_buffer_fini(&out);
}

size_t nt_recorder_waiting(const struct nt_recorder *recorder)
{
	return nt_file_writer_waiting(recorder->writer);
}

/* At the end: the tick that would show the loss was held back with the rest. */
static void close_gap(struct nt_recorder *recorder)
{
	go_on_behind(recorder);
	nt_framer_tick(&recorder->framer, &recorder->newest);
	struct nt_packed_frame *frame = nt_framer_close(&recorder->framer);
	if (goes_on(recorder))
		add_frame(recorder, frame);
	nt_packed_frame_release(frame);
}

void nt_recorder_finish(struct nt_recorder *recorder)
{
	close_frame(recorder);
	if (recorder->held && goes_on(recorder))
		close_gap(recorder);
	if (!recorder->ended && !has_problem(recorder))
		put_index(recorder);
	recorder->ended = true;
	nt_file_writer_finish(recorder->writer);
}

bool nt_recorder_has_finished(const struct nt_recorder *recorder)
{
	return nt_file_writer_has_finished(recorder->writer);
}

void nt_recorder_end(struct nt_recorder *recorder)
{
	nt_recorder_finish(recorder);
	nt_file_writer_wait(recorder->writer);
}

void nt_recorder_free(struct nt_recorder *recorder)
{
	if (!recorder)
		return;
	nt_file_writer_free(recorder->writer);
	nt_framer_fini(&recorder->framer);
	nt_lasting_free(recorder->held);
	free(recorder->index);
	free(recorder->path);
	free(recorder);
}
