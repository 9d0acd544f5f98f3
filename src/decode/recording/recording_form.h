/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/recording: what a recording says: batches, ticks, the settings of the model. */
/*
 * The form of a recording, for who writes it (src/record/recording_put.h) and who reads it (recording_read.h). Doc: doc/ARCHITECTURE.md, `record`.
 *
 * A recording is frames of zstd, between two of its skippable frames: in the first is the magic, the version of this form and NT_EVENT_FORMAT, in the last the index. What a frame unpacks to is
 * records: u8 type (enum nt_recorded), varint length, so many bytes. Whoever does not know a type goes on behind it. Numbers are varints of 7 bits, least significant first; a
 * difference, which may be below 0, is 2n or -2n-1 (zigzag), and counts modulo 2^64. What differences count from is 0 at the begin of each frame, so that each can be read alone.
 *
 *   SETTINGS  pid, start, interval_ns, watermark_ns, window_half_life, history_limit, site_frames, text_slack_bytes; the difference of the clock of the wall to ours, in ns
 *   TICK      difference of its time to the tick before; u8 enum nt_tick_how; u8 1 = all sources were read to their end
 *   BATCH     source, pid, epoch;
 *             count of bytes, the bytes; count of addresses, each as the difference to the one before;
 *             count of texts, of each: id, length, the difference of its offset to the end of the one before;
 *             count of stacks, of each: id, count, count of the kernel's, the difference of its offset likewise;
 *             count of lines, of each: difference of its start to that of the one before, size, length, kind, the difference of its offset likewise;
 *             count of places, of each: difference of its start likewise, size, offset;
 *             count of events, of each: kind; u8 enum nt_recorded_event; difference of its time to the event before;
 *             what that byte says is there, in its order; then its fields that are not 0, of each: 4 * number + enum nt_recorded_value, the value; and a 0
 *
 *   NOTE      a sentence for people about the recording as a whole: what it was made of, what is not in it
 *
 * A field of the type TIME is the difference to the event's time. Numbers of kinds and of fields are those of event_kinds.def and event_fields.c; what an older nettop does not know it leaves out, and counts.
 */
#ifndef NT_DECODE_RECORDING_FORM_H
#define NT_DECODE_RECORDING_FORM_H

#include <stdint.h>

/* Raised when what is above is no longer so. */
enum { NT_RECORDING_VERSION = 1 };

/* Of the header: a skippable frame (RFC 8878, 3.1.2) with this magic and length, in which are these 16 bytes, u32 version, u32 event format. */
#define NT_RECORDING_MAGIC "nettop recording"
enum { NT_RECORDING_SKIP = 0x184d2a5e, NT_RECORDING_SKIP_INDEX = 0x184d2a5f, NT_RECORDING_SAID_BYTES = 24, NT_RECORDING_HEADER_BYTES = 32 };

/* The index, of as many entries as there are frames: u64 offset in the file, u64 time of its first tick (0: it has none). */
enum { NT_RECORDING_INDEX_BYTES = 16 };

/* What a frame may unpack to, and of how many events a batch may be: a recording is a stranger's bytes. */
enum { NT_RECORDING_FRAME_MAX = 64 << 20, NT_RECORDING_EVENTS_MAX = 1 << 18 };

/* Of a note; what is behind is cut off. */
enum { NT_RECORDING_NOTE_BYTES = 512 };

enum nt_recorded { NT_RECORDED_SETTINGS = 1, NT_RECORDED_BATCH = 2, NT_RECORDED_TICK = 3, NT_RECORDED_NOTE = 4 };

enum nt_recorded_event {
	NT_RECORDED_BESIDE = 1,
	NT_RECORDED_VERSION = 2, /* u8 */
	NT_RECORDED_PID = 4,     /* not that of the event before */
	NT_RECORDED_TID = 8,     /* likewise */
	NT_RECORDED_STACK = 16,
};

enum nt_recorded_value {
	NT_RECORDED_NUMBER = 0,
	NT_RECORDED_EIGHT = 1, /* bytes: a double */
	NT_RECORDED_LIST = 2,  /* count, so many numbers */
};

/* What differences count from. All zero at the begin of a frame. */
struct nt_recorded_before {
	uint64_t tick, time;
	uint32_t pid, tid;
};

static inline uint64_t nt_zigzag(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static inline uint64_t nt_unzigzag(uint64_t value)
{
	return value >> 1 ^ -(value & 1);
}

#endif
