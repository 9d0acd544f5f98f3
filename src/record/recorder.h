/* SPDX-License-Identifier: GPL-2.0-only */
/* Room record: batches and ticks on disk. */
/*
 * Writes down what enters a model (decode/recording/recording_form.h), as it comes. A frame has what came in some seconds, or some hundred KB; it is written with one write(), at the end of the file,
 * so that whoever is killed leaves whole frames and perhaps a piece of one, on a thread of its own (file_writer.h). When the disk is full, or anything else is wrong with the file, the piece is cut off, nothing more is written, and
 * nt_recorder_problem() says why: whoever watches goes on.
 */
#ifndef NT_RECORD_RECORDER_H
#define NT_RECORD_RECORDER_H

#include "record/file_writer.h"

struct nt_recorder;

/* The file must not be there. It is made for the person who runs nettop alone (0600), with what that person may; no link at its end is followed, and none of a stranger's on the way. `limit_bytes`: 0 = none. */
enum nt_status nt_recorder_open(const char *path, uint64_t limit_bytes, struct nt_recorder **out, struct nt_error *err);

/* The same into `fd`, the recorder's from now on, which has no name and is nobody's to find: of it nothing is waited for. `name` is for sentences. */
struct nt_recorder *nt_recorder_take(int fd, const char *name, uint64_t limit_bytes);

/* The same into `fd` as into a file of a slow disk, whatever that is: who records does not wait for it. */
struct nt_recorder *nt_recorder_to(int fd, const char *name, uint64_t limit_bytes);

/* First of all, and once: what the model was made with, and what to add to a time to get that of the wall. */
void nt_recorder_settings(struct nt_recorder *recorder, const struct nt_model_config *config, int64_t realtime_offset_ns);

/* What the model is given, in its order. Both are only read. */
void nt_recorder_batch(struct nt_recorder *recorder, const struct nt_batch *batch);
void nt_recorder_tick(struct nt_recorder *recorder, const struct nt_tick *tick);

/* A sentence for people about the recording as a whole, less than NT_RECORDING_NOTE_BYTES; at any time after the settings. */
void nt_recorder_note(struct nt_recorder *recorder, const char *note);

/* A frame that is packed already, with what follows on all that came before it. Retained. */
void nt_recorder_frame(struct nt_recorder *recorder, struct nt_packed_frame *frame);

/* Why no more is written: one sentence, borrowed. NULL: it is. */
const char *nt_recorder_problem(struct nt_recorder *recorder);

/* Is all there that may be (limit_bytes)? */
bool nt_recorder_is_full(const struct nt_recorder *recorder);

/* Of the file: what has come since its last frame is not among that. */
struct nt_file_written nt_recorder_said(const struct nt_recorder *recorder);

/* Bytes of frames that wait for the disk. From some MB on, of what comes only that is kept which still holds behind the gap (lasting.h), and the rest counted as lost, in the recording. */
size_t nt_recorder_waiting(const struct nt_recorder *recorder);

/* No more comes. What is left is written, and the index; what that takes on a slow disk is not waited for. */
void nt_recorder_finish(struct nt_recorder *recorder);

/* Is all that on the disk, or given up? */
bool nt_recorder_has_finished(const struct nt_recorder *recorder);

/* The same, and wait for it. nt_recorder_problem() afterwards tells whether it is. */
void nt_recorder_end(struct nt_recorder *recorder);

/* NULL is allowed. What was not ended stays as it is: whole frames without an index. */
void nt_recorder_free(struct nt_recorder *recorder);

#endif
