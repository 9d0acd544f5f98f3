/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inputs of a model become frames (decode/recording/recording_form.h): each has what came in some seconds, or some hundred KB, and is packed. One thread; a packed frame is never changed, and several threads
 * may hold it.
 */
#ifndef NT_RECORD_FRAMER_H
#define NT_RECORD_FRAMER_H

#include <stdatomic.h>

#include "record/recording_put.h"

struct nt_packed_frame {
	atomic_uint refs;
	nt_time first, last;  /* of its ticks; 0 = it has none */
	uint64_t event_count; /* in it */
	size_t unpacked;      /* bytes of its records */
	size_t length;
	char bytes[]; /* as in the file */
};

/* A reference of the caller's. */
struct nt_packed_frame *nt_packed_frame_of(const char *bytes, size_t length);
struct nt_packed_frame *nt_packed_frame_retain(struct nt_packed_frame *frame);
void nt_packed_frame_release(struct nt_packed_frame *frame); /* NULL is allowed */

struct nt_framer {
	struct nt_recording_put put; /* of the open frame; settings and notes are put there */
	nt_time first, last;         /* of its ticks; 0 = none yet */
	uint64_t event_count;        /* in it */
	void *packer;                /* owned */
	char *packed;                /* owned: room for one frame */
	size_t packed_capacity;
};

void nt_framer_init(struct nt_framer *framer);
void nt_framer_fini(struct nt_framer *framer);

/* False: more came at once than a frame can have; it is not in it. */
bool nt_framer_batch(struct nt_framer *framer, const struct nt_batch *batch);
void nt_framer_tick(struct nt_framer *framer, const struct nt_tick *tick);

/* Has the open frame as much as one should have? Larger ones are packed better, and who is killed loses more. */
bool nt_framer_is_due(const struct nt_framer *framer);

/* Close the open frame and begin the next one: a reference of the caller's. NULL: nothing was in it. */
struct nt_packed_frame *nt_framer_close(struct nt_framer *framer);

#endif
