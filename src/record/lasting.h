/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What still holds of the inputs before a recording that begins in the middle: which texts and call chains ids stand for, what code and threads are called, how sources stand, what nettop has decided. What has only
 * happened is left out, and so is what a later event has taken the place of. Who has it has all that what comes later refers to.
 *
 * It is kept as packed frames of batches, older ones first. From time to time, when it has doubled, it is gone through as a whole. One thread.
 */
#ifndef NT_RECORD_LASTING_H
#define NT_RECORD_LASTING_H

#include "record/framer.h"

struct nt_lasting;

/* limit_bytes: of the packed frames. When they have more, no further names of code are kept until others have gone. `follows`: whoever reads it has read what came before, so ends of threads are kept. */
struct nt_lasting *nt_lasting_new(size_t limit_bytes, bool follows);
void nt_lasting_free(struct nt_lasting *lasting); /* NULL is allowed */

/* What is in this frame is over. In the order in which it came; only read. */
void nt_lasting_add(struct nt_lasting *lasting, struct nt_packed_frame *frame);

/* All that holds, in frames, which are borrowed until the next call. */
struct nt_packed_frame *const *nt_lasting_frames(struct nt_lasting *lasting, size_t *count);

/* What it has in memory, for what it keeps. */
size_t nt_lasting_bytes(const struct nt_lasting *lasting);

/* Events that are not kept, because they only happened or because others took their place. */
uint64_t nt_lasting_left_out(const struct nt_lasting *lasting);

/* Was something let go that holds, for want of room? */
bool nt_lasting_misses_some(const struct nt_lasting *lasting);

#endif
