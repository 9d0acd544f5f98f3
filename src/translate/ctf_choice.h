/* SPDX-License-Identifier: GPL-2.0-only */
/* Which process of the traces in a folder is told of, and what there is besides. */
#ifndef NT_TRANSLATE_CTF_CHOICE_H
#define NT_TRANSLATE_CTF_CHOICE_H

#include "record/recorder.h"
#include "source/lttng/lttng_survey.h"

struct nt_ctf_choice {
	struct nt_lttng_traces traces;
	struct nt_survey *surveys; /* owned, one for each trace; of one that cannot be read its `damage` says why, and nothing else */
	size_t places[NT_LTTNG_TRACES_MAX]; /* the traces in which the chosen process is */
	size_t place_count;
	const struct nt_survey *main;            /* the one in which it has told most; borrowed from surveys */
	const struct nt_survey_process *process; /* there */
	unsigned recorded;                       /* enum nt_lttng_recorded bits of all these */
	nt_time first, last;                     /* of all these */
	bool whole;                              /* they were read to their end */
};

/* Read all traces once, and choose. Errors: there is no trace, or none with an event of the runtime, or of collections. */
enum nt_status nt_ctf_choose(int folder, struct nt_ctf_choice *out, struct nt_error *err);
void nt_ctf_choice_fini(struct nt_ctf_choice *choice);

/* Note in the recording what is left out of it, and why. */
void nt_ctf_choice_note(const struct nt_ctf_choice *choice, struct nt_recorder *out);

#endif
