/* SPDX-License-Identifier: GPL-2.0-only */
/* What the runtime says of its data (docs/design/datacontracts of the runtime's sources), as far as nettop uses it: contract_layout.def. */
#ifndef NT_DECODE_CONTRACT_LAYOUT_H
#define NT_DECODE_CONTRACT_LAYOUT_H

#include "decode/contract/descriptor.h"

enum nt_contract_feature {
	NT_CONTRACT_CODE,
	NT_CONTRACT_THREADS,
	NT_CONTRACT_STACKS,
	NT_CONTRACT_MONITORS,
	NT_CONTRACT_NAMES,
	NT_CONTRACT_SIGNATURES, /* of dynamic methods */
	NT_CONTRACT_FIELDS,
	NT_CONTRACT_TIERS,
	NT_CONTRACT_ALLOCATED,
	NT_CONTRACT_PERSONS, /* names of threads, exceptions */
	NT_CONTRACT_HEAP,    /* objects, one behind the other */
	NT_CONTRACT_THREAD_FIELDS,
	NT_CONTRACT_MODULES, /* all of them, and what they have instances of */
	NT_CONTRACT_FEATURES,
};

/* What an offset or size may be at most: none of 10.0.12 is above 3520. */
enum { NT_LAYOUT_OFFSET_MAX = 64 << 10 };

enum nt_layout_field {
#define FIELD(feature, id, type, field) NT_OFF_##id,
#define SIZE(feature, id, type)         NT_OFF_##id,
#include "decode/contract/contract_layout.def"
	NT_LAYOUT_FIELDS
};

enum nt_layout_global {
#define GLOBAL(feature, id, name) NT_GLOBAL_##id,
#include "decode/contract/contract_layout.def"
	NT_LAYOUT_GLOBALS
};

struct nt_layout {
	bool has[NT_CONTRACT_FEATURES];
	const char *lacks[NT_CONTRACT_FEATURES]; /* the first thing that a feature lacks, "Thread.OSId"; static; NULL = nothing */
	unsigned code_map_version; /* of the contract ExecutionManager: 1 linear nibble map, 2 constant-time one; 0 = not said */
	uint32_t offsets[NT_LAYOUT_FIELDS];
	uint64_t globals[NT_LAYOUT_GLOBALS];
};

/* Once, before the process gives up opening files: what the first reading opens for itself. */
void nt_layout_prepare(void);

/* False: that is no JSON of such a form; *out then has no feature. */
bool nt_layout_read(const struct nt_descriptor *descriptor, struct nt_layout *out);

#endif
