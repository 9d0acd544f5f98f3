/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording (recorder.h), read from its begin: one input of the model after the other, of whole frames alone. */
#ifndef NT_RECORD_RECORDING_FILE_H
#define NT_RECORD_RECORDING_FILE_H

#include "decode/recording/recording_read.h"

struct nt_recording_file;

/*
 * Takes `fd`, a regular file; `path` is for sentences. An error, by which it is closed: it is no recording (MALFORMED), or one of a form that this nettop does not read (UNSUPPORTED, and says of which).
 */
enum nt_status nt_recording_file_take(int fd, const char *path, struct nt_recording_file **out, struct nt_error *err);

/* Open the file that the person names, to read, *fd is the caller's. Rights of nettop's own file have no part in it. An error: it cannot be read, or is no regular file. */
enum nt_status nt_recording_file_open_fd(const char *path, int *fd, struct nt_error *err);

/* Both. */
enum nt_status nt_recording_file_open(const char *path, struct nt_recording_file **out, struct nt_error *err);

void nt_recording_file_free(struct nt_recording_file *file); /* NULL is allowed */

/*
 * The next input; what is in it is borrowed until the next call. NT_END: the file is over, nt_recording_file_end() says how. NT_ERR_MALFORMED: it is damaged from here on, with the place in the sentence; what came
 * before is what was recorded; there are not more ticks than some for its bytes, which bounds what a small file can cost. The first input is SETTINGS, and no other is.
 */
enum nt_status nt_recording_file_next(struct nt_recording_file *file, struct nt_recording_input *out, struct nt_error *err);

/* How far it was read, and what is left of it. */
struct nt_recording_end {
	bool finished;       /* whoever wrote it has ended it: it has its index */
	size_t frame_count;  /* whole ones */
	uint64_t rest_bytes; /* behind them, and no whole frame; only where it is not finished */
	nt_time last;        /* the newest tick; 0 = none */
	uint64_t unknown;    /* records, events and fields that a later nettop has written: left out */
};
struct nt_recording_end nt_recording_file_end(const struct nt_recording_file *file);

#endif
