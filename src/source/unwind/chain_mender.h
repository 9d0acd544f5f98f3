/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/unwind: call stacks without frame pointers. */
/*
 * Call chains of samples, mended by copies of the stack (decode/unwind/stack_walk.h). The main thread walks with the rules that are known and reads nothing; a stack for
 * which a rule is missing keeps the kernel's chain, and a copy of it goes to a worker, which looks up all the rules that such a stack needs.
 */
#ifndef NT_SOURCE_CHAIN_MENDER_H
#define NT_SOURCE_CHAIN_MENDER_H

#include "decode/kernel/perf_record.h"
#include "nettop/source.h"

struct nt_chain_mender;

/* far: see nt_stack_walk(). `target` and `config` are borrowed for the call. Starts the worker. */
enum nt_status nt_chain_mender_new(const struct nt_target *target, const struct nt_source_config *config, bool far,
				   struct nt_chain_mender **out, struct nt_error *err);

/* Ends the worker; does not wait for a file that hangs. NULL is allowed. */
void nt_chain_mender_free(struct nt_chain_mender *mender);

/*
 * The sample record at `bytes`, parsed as `sample`, with its best chain and without registers and stack, in `out`. Returns its length; 0: the record is to be
 * used as it is.
 */
size_t nt_chain_mender_mend(struct nt_chain_mender *mender, const uint8_t *bytes, const struct nt_perf_record *sample,
			    uint8_t out[NT_PERF_REPLACED_MAX]);

/* Other code is in [start, end) from now on. */
void nt_chain_mender_mapped(struct nt_chain_mender *mender, uint64_t start, uint64_t end);

/* Add what its threads, and the process that reads images for it, have used. NULL is allowed. */
void nt_chain_mender_cost(struct nt_chain_mender *mender, struct nt_source_stats *out);

#endif
