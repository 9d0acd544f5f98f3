// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/shown_frame.h"

#include "model/cpu/purposes.h"

struct nt_stack_frame nt_shown_frame(const struct nt_resolver *resolver, nt_frame frame)
{
	const struct nt_key *key = nt_resolver_key(resolver, nt_frame_row(frame));
	return (struct nt_stack_frame){ .sort = NT_FRAME_CODE,
					.id = key->id,
					.name = key->name,
					.raw_name = key->raw_name,
					.module = key->module,
					.reason = key->reason,
					.kind = key->kind,
					.tier = nt_frame_tier(frame),
					.own = nt_purpose_of_key(key) == NT_PURPOSE_PROGRAM };
}
