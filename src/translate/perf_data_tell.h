/* SPDX-License-Identifier: GPL-2.0-only */
/* One process of a perf.data, told as the perf source would have: samples, switches, threads, mappings, losses, in the order of their times. */
#ifndef NT_TRANSLATE_PERF_DATA_TELL_H
#define NT_TRANSLATE_PERF_DATA_TELL_H

#include "translate/perf_data_survey.h"
#include "translate/code_names.h"

/* What came of it, besides what was told. */
struct nt_perf_data_told {
	uint64_t late;      /* records that came after others of a later time had been told */
	uint64_t throttled; /* times the kernel stopped sampling, because it took too long */
	uint64_t lost;      /* samples */
	uint64_t walked;    /* call stacks that were made from copies of stacks */
	struct nt_code_names_said names;
	bool over;    /* its times go on for longer than a translation may */
	bool outgrew; /* more had to wait for its turn than there is room for: the order of times may be wrong */
};

/* Reads `file`, which has begun once more, to its end. `process` is of the survey of the same file; `names`: a file for nt_code_names_open(), -1 = there is none. */
void nt_perf_data_tell(struct nt_perf_data_file *file, const struct nt_perf_data_survey *survey, const struct nt_perf_data_process *process,
		       int names, struct nt_translation *translation, struct nt_perf_data_told *told);

#endif
