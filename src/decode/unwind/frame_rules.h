/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rule holds for which code: ranges of addresses that do not overlap. Kept small: what was learnt is forgotten when it becomes too much. */
#ifndef NT_DECODE_FRAME_RULES_H
#define NT_DECODE_FRAME_RULES_H

#include "decode/unwind/frame_rule.h"

/* Ranges kept: 0.7 MB. */
enum { NT_FRAME_RULES_MAX = 16384 };

struct nt_frame_range {
	uint64_t start, end; /* [start, end) */
	struct nt_frame_rule rule;
};

struct nt_frame_rules {
	struct nt_frame_range *items; /* owned; sorted */
	size_t count, capacity;
};

void nt_frame_rules_fini(struct nt_frame_rules *rules);

/* The rule of the code at `address`; NULL: not known. Borrowed until the next change. */
const struct nt_frame_rule *nt_frame_rules_find(const struct nt_frame_rules *rules, uint64_t address);

/* The code at `address`, which has no rule yet, and around it in [start, end) as far as there is none. `address` must be in there. */
void nt_frame_rules_add(struct nt_frame_rules *rules, uint64_t address, uint64_t start, uint64_t end, const struct nt_frame_rule *rule);

/* Other code is in [start, end) now. */
void nt_frame_rules_forget(struct nt_frame_rules *rules, uint64_t start, uint64_t end);

#endif
