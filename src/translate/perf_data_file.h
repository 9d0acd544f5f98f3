/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf.data, read record by record, in the order in which perf wrote them: what is packed comes unpacked, and what describes the records is kept. Reads by pread() alone. */
#ifndef NT_TRANSLATE_PERF_DATA_FILE_H
#define NT_TRANSLATE_PERF_DATA_FILE_H

#include "decode/perf_data/perf_data.h"
#include "decode/perf_data/perf_data_events.h"
#include "decode/perf_data/perf_data_facts.h"

enum nt_perf_data_end {
	NT_PERF_DATA_WHOLE,
	NT_PERF_DATA_CUT,     /* the file ends before it says that it does, or in the middle of a record */
	NT_PERF_DATA_DAMAGED, /* a record cannot be: nobody knows where the next one begins */
};

struct nt_perf_data_file {
	struct nt_perf_data_events events;
	struct nt_perf_data_facts facts;      /* of a pipe: as far as it was read */
	enum nt_perf_data_end end;            /* when there is no next record */
	uint64_t end_at;                      /* where in the file it was found */
	bool facts_missing;                   /* not all of what it says behind its records is there */
	bool was_killed;                      /* whoever wrote it has not ended it: what sections say is not there */
	struct nt_perf_data_reading *reading; /* owned */
};

/* Begin with the first record. `fd` is borrowed. Errors: MALFORMED, UNSUPPORTED; FAILED when it cannot be read. *file is ended with nt_perf_data_file_end() either way. */
enum nt_status nt_perf_data_file_begin(struct nt_perf_data_file *file, int fd, struct nt_error *err);
void nt_perf_data_file_end(struct nt_perf_data_file *file);

/* The next record of the kernel, or of perf's: borrowed until the next call. False: there is none, file->end says why. */
bool nt_perf_data_file_next(struct nt_perf_data_file *file, const uint8_t **bytes, size_t *length, uint32_t *type);

#endif
