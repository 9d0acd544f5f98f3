/* SPDX-License-Identifier: GPL-2.0-only */
/* What a perf.data says of the machine and of how it was recorded, in sections behind its records ("features"), of a pipe in records. Each is there or not; texts are any bytes. */
#ifndef NT_DECODE_PERF_DATA_FACTS_H
#define NT_DECODE_PERF_DATA_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Those that somebody reads: bits of nt_perf_data_head.features, and numbers in records NT_PERF_DATA_FEATURE. */
enum nt_perf_data_feature {
	NT_PERF_DATA_HOSTNAME = 3,
	NT_PERF_DATA_OSRELEASE = 4,
	NT_PERF_DATA_VERSION = 5,
	NT_PERF_DATA_ARCH = 6,
	NT_PERF_DATA_NRCPUS = 7,
	NT_PERF_DATA_CMDLINE = 11,
	NT_PERF_DATA_EVENT_DESC = 12,
	NT_PERF_DATA_DIR_FORMAT = 24, /* the records are in other files of the same folder */
	NT_PERF_DATA_CLOCK_DATA = 29,
	NT_PERF_DATA_FEATURES = 64
};

enum { NT_PERF_DATA_TEXT = 128 };

struct nt_perf_data_facts {
	char host[NT_PERF_DATA_TEXT];    /* "" = not said; so are the others */
	char release[NT_PERF_DATA_TEXT]; /* of the kernel */
	char perf[NT_PERF_DATA_TEXT];    /* version */
	char machine[NT_PERF_DATA_TEXT]; /* as uname -m */
	char command[4 * NT_PERF_DATA_TEXT];
	uint32_t cpu_count; /* online; 0 = not said */
	/* At the same moment: CLOCK_REALTIME, and the clock of the records. */
	bool has_clock;
	uint64_t wall_ns, clock_ns;
};

/* What the section, or the record, of this feature says: bytes[0..length). What cannot be is left out. */
void nt_perf_data_facts_take(struct nt_perf_data_facts *facts, unsigned feature, const uint8_t *bytes, size_t length);

#endif
