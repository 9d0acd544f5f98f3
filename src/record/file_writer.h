/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes packed frames to a file, one after the other, on a thread of its own: a disk that is slow, or does not answer, holds up nobody who has the streams of a target to read. Each with one write(), at the end of the
 * file; what cannot be written whole is cut off again, and nothing is written after it. What waits is bounded by who puts it there.
 */
#ifndef NT_RECORD_FILE_WRITER_H
#define NT_RECORD_FILE_WRITER_H

#include "record/framer.h"

struct nt_file_writer;

/* Of the file: what waits is not among that. */
struct nt_file_written {
	uint64_t bytes, event_count;
	nt_time first, last; /* of its ticks; 0 = there is none */
};

/*
 * Takes `fd`. `on_disk`: what is there at the end is waited for to be on the disk, and what cannot be written whole is cut off; else it is a file that has no name (one in memory). Frames are written as they are put.
 */
struct nt_file_writer *nt_file_writer_new(int fd, bool on_disk);

/* From now on by the thread. Where none can be had, the disk is waited for. */
void nt_file_writer_start(struct nt_file_writer *writer);

/* Retains the frame. */
void nt_file_writer_put(struct nt_file_writer *writer, struct nt_packed_frame *frame);

/* Nothing more comes: when all is written it is seen to be on the disk, and the file closed. */
void nt_file_writer_finish(struct nt_file_writer *writer);

/* Wait until that is done, as long as the disk needs for it. */
void nt_file_writer_wait(struct nt_file_writer *writer);

/* Has that been done, or given up? */
bool nt_file_writer_has_finished(struct nt_file_writer *writer);

/* Bytes that wait for the disk. */
size_t nt_file_writer_waiting(struct nt_file_writer *writer);

struct nt_file_written nt_file_writer_written(struct nt_file_writer *writer);

/* An errno value: nothing is written any more; `*at_end`: all was, and may not be on the disk. 0: no problem. */
int nt_file_writer_problem(struct nt_file_writer *writer, bool *at_end);

/* Waits for the thread, as long as the disk needs for what was put; without nt_file_writer_finish() the file stays as it is then. NULL is allowed. */
void nt_file_writer_free(struct nt_file_writer *writer);

#endif
