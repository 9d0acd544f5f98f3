// SPDX-License-Identifier: GPL-2.0-only
#include "record/framer.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <zstd.h>

enum { FRAME_BYTES = 512 << 10, LEVEL = 3 };
#define FRAME_NS (3 * NT_NS_PER_S)

struct nt_packed_frame *nt_packed_frame_of(const char *bytes, size_t length)
{
	struct nt_packed_frame *frame = nt_alloc(sizeof(*frame) + length);
	atomic_init(&frame->refs, 1);
	frame->length = length;
	memcpy(frame->bytes, bytes, length);
	return frame;
}

struct nt_packed_frame *nt_packed_frame_retain(struct nt_packed_frame *frame)
{
	atomic_fetch_add(&frame->refs, 1);
	return frame;
}

void nt_packed_frame_release(struct nt_packed_frame *frame)
{
	if (frame && atomic_fetch_sub(&frame->refs, 1) == 1)
		free(frame);
}

void nt_framer_init(struct nt_framer *framer)
{
	*framer = (struct nt_framer){ .packer = ZSTD_createCCtx() };
	nt_assert(framer->packer);
	ZSTD_CCtx_setParameter(framer->packer, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(framer->packer, ZSTD_c_checksumFlag, 1);
	nt_recording_put_init(&framer->put);
}

void nt_framer_fini(struct nt_framer *framer)
{
	nt_recording_put_fini(&framer->put);
	ZSTD_freeCCtx(framer->packer);
	free(framer->packed);
}

bool nt_framer_batch(struct nt_framer *framer, const struct nt_batch *batch)
{
	if (!nt_recording_put_batch(&framer->put, batch))
		return false;
	framer->event_count += batch->event_count;
	return true;
}

void nt_framer_tick(struct nt_framer *framer, const struct nt_tick *tick)
{
	nt_recording_put_tick(&framer->put, tick);
	framer->first = framer->first ? framer->first : tick->now;
	framer->last = tick->now;
}

bool nt_framer_is_due(const struct nt_framer *framer)
{
	return framer->put.out.length >= FRAME_BYTES || framer->last >= framer->first + FRAME_NS;
}

struct nt_packed_frame *nt_framer_close(struct nt_framer *framer)
{
	const struct nt_text_buffer *records = &framer->put.out;
	if (!records->length)
		return NULL;
	size_t most = ZSTD_compressBound(records->length);
	framer->packed = nt_grow(framer->packed, &framer->packed_capacity, most, 1);
	size_t length = ZSTD_compress2(framer->packer, framer->packed, most, records->bytes, records->length);
	nt_assert(!ZSTD_isError(length));
	struct nt_packed_frame *frame = nt_packed_frame_of(framer->packed, length);
	frame->first = framer->first;
	frame->last = framer->last;
	frame->event_count = framer->event_count;
	frame->unpacked = records->length;
	nt_recording_put_frame(&framer->put);
	framer->first = framer->last = framer->event_count = 0;
	return frame;
}
