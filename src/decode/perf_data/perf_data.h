/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/perf_data: what perf of Linux writes into files. */
/*
 * The frame of a perf.data file (linux, tools/perf/Documentation/perf.data-file-format.txt): its header, where its sections are, and how long each of its records is. What is in the records of the kernel: perf_data_events.h.
 * Pure functions of bytes; nothing is borrowed.
 */
#ifndef NT_DECODE_PERF_DATA_H
#define NT_DECODE_PERF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nt_perf_data_form {
	NT_PERF_DATA_NONE,    /* it is no perf.data */
	NT_PERF_DATA_FILE,    /* with sections */
	NT_PERF_DATA_PIPE,    /* as it went through a pipe: records from the begin, of which some say what else sections do */
	NT_PERF_DATA_SWAPPED, /* of a machine with the other order of bytes */
	NT_PERF_DATA_OLD,     /* of perf before Linux 2.6.37 */
	NT_PERF_DATA_BROKEN,  /* its header cannot be */
};

enum { NT_PERF_DATA_MAGIC_BYTES = 8, NT_PERF_DATA_HEAD_MAX = 104 };

struct nt_perf_data_section {
	uint64_t offset, size; /* in the file, bytes; the end does not overflow, and may be beyond the file's */
};

struct nt_perf_data_head {
	enum nt_perf_data_form form;
	uint64_t attr_size;                /* of each entry of `attrs`: an attribute, and where its ids are */
	struct nt_perf_data_section attrs; /* FILE */
	struct nt_perf_data_section data;  /* the records; FILE: size 0 = whoever wrote it was killed, it goes up to the end of the file */
	uint64_t features;                 /* FILE: which sections follow `data`, a bit each: enum nt_perf_data_feature */
};

/* bytes[0..length): the begin of the file, NT_PERF_DATA_HEAD_MAX of it where it has so many. */
struct nt_perf_data_head nt_perf_data_head_read(const uint8_t *bytes, size_t length);

/* The record at the begin of some bytes. */
struct nt_perf_data_step {
	uint64_t size;    /* from its begin to the next one's; 0: it cannot be, or its header is not all there (length < 8) */
	uint64_t payload; /* of that, what is beyond the record itself: a payload that nobody here reads */
	uint32_t type;    /* enum perf_event_type, or enum nt_perf_data_type */
};
enum { NT_PERF_DATA_STEP_BYTES = 16 /* so much tells the step, of a record that is so long */ };

struct nt_perf_data_step nt_perf_data_step_read(const uint8_t *bytes, size_t length);

/* Records that perf makes itself. */
enum nt_perf_data_type {
	NT_PERF_DATA_ATTR = 64,
	NT_PERF_DATA_TRACING = 66,
	NT_PERF_DATA_ROUND = 68, /* all that was before the previous one of these has been written */
	NT_PERF_DATA_AUXTRACE = 71,
	NT_PERF_DATA_FEATURE = 80,
	NT_PERF_DATA_COMPRESSED = 81,
	NT_PERF_DATA_COMPRESSED2 = 83,
};

/* What is packed in a record of these two sorts, in bytes from its begin on. False: it is none, or cannot be; *offset and *size stay as they are. */
bool nt_perf_data_packed(const uint8_t *record, size_t length, size_t *offset, size_t *size);

#endif
