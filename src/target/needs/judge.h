/* SPDX-License-Identifier: GPL-2.0-only */
/* How each prerequisite is judged: functions of the facts alone. Inside src/target/ only; the table that names them is prerequisites.c. */
#ifndef NT_TARGET_JUDGE_H
#define NT_TARGET_JUDGE_H

#include "target/needs/prerequisites.h"

/* The verdict: what there is. */
__attribute__((format(printf, 2, 3))) void nt_judge_ok(struct nt_verdict *out, const char *found, ...);

/* It is not there in the way of failures[failure]. */
__attribute__((format(printf, 4, 5))) void nt_judge_fail(struct nt_verdict *out, enum nt_verdict_state state, unsigned failure,
							 const char *found, ...);

/*
 * For verdicts on files of the target's. True: it is closed to us, which is said of target_files and made of *out, too, as failures[failure], which has no fix of its own.
 */
bool nt_judge_closed(const struct nt_facts *facts, unsigned failure, struct nt_verdict *out);

/* judge_kernel.c: CPU samples and names of the kernel */
void nt_judge_perf_paranoid(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_cap_perfmon(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_perf_open(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_kptr(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_perf_mlock(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_tracefs(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_open_files(const struct nt_facts *facts, struct nt_verdict *out);

/* judge_files.c: whose files may be opened */
void nt_judge_target_files(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_target_memory(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_map_files(const struct nt_facts *facts, struct nt_verdict *out);

/* judge_lttng.c: from the tracer to the runtime's provider */
void nt_judge_lttng_daemons(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_tracing_group(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_lttng_rings(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_pid_namespace(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_mount_namespace(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_provider(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_ust(const struct nt_facts *facts, struct nt_verdict *out);

/* judge_runtime.c: what the target was started with */
void nt_judge_runtime(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_event_log(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_event_filters(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_lock_events(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_pool_events(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_exceptions(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_diagnostics(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_socket(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_allocation_samples(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_perf_map(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_write_xor_execute(const struct nt_facts *facts, struct nt_verdict *out);
void nt_judge_jitdump(const struct nt_facts *facts, struct nt_verdict *out);

#endif
