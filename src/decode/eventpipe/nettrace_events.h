/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events in a block of a nettrace stream (EventBlock, MetadataBlock): one behind the other, each with a header that says only what differs from
 * the one before.
 */
#ifndef NT_DECODE_NETTRACE_EVENTS_H
#define NT_DECODE_NETTRACE_EVENTS_H

#include "decode/common/reader.h"

/* All that the headers of a block have said so far. Zero it at the start of a block. */
struct nt_nettrace_head {
	uint32_t metadata; /* number of its kind; 0 in a MetadataBlock */
	uint32_t sequence; /* its number on the thread that wrote it */
	uint64_t capture_thread, thread;
	uint32_t stack;
	uint64_t ticks; /* of the stream's clock */
	uint32_t payload_length;
	uint64_t activity[2]; /* as it lies there; 0, 0 = none */
	bool oldest;          /* nothing older follows */
};

/* Skip the header of a block of compressed events. False when it is none. */
bool nt_nettrace_events_begin(struct nt_reader *block);

/* The next event: its payload, borrowed, of head->payload_length bytes. NULL at the end of the block, or when the reader is bad. */
const uint8_t *nt_nettrace_events_next(struct nt_reader *block, struct nt_nettrace_head *head);

#endif
