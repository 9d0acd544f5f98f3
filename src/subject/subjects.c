// SPDX-License-Identifier: GPL-2.0-only
/* The table: a row for each subject. */
#include "nettop/subject.h"

const struct nt_subject *const nt_subjects[NT_SUBJECT_COUNT] = {
	[NT_SUBJECT_CPU] = &nt_subject_cpu,
	[NT_SUBJECT_THREADS] = &nt_subject_threads,
	[NT_SUBJECT_GC] = &nt_subject_gc,
	[NT_SUBJECT_ALLOC] = &nt_subject_alloc,
	[NT_SUBJECT_JIT] = &nt_subject_jit,
	[NT_SUBJECT_POOL] = &nt_subject_pool,
	[NT_SUBJECT_EXCEPTIONS] = &nt_subject_exceptions,
	[NT_SUBJECT_LOCKS] = &nt_subject_locks,
	[NT_SUBJECT_REQUESTS] = &nt_subject_requests,
	[NT_SUBJECT_HOST] = &nt_subject_host,
	[NT_SUBJECT_COUNTERS] = &nt_subject_counters,
	[NT_SUBJECT_WAITS] = &nt_subject_waits,
	[NT_SUBJECT_IO] = &nt_subject_io,
	[NT_SUBJECT_EVENTS] = &nt_subject_events,
};
