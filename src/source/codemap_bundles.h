/* SPDX-License-Identifier: GPL-2.0-only */
/* Which assembly of a single-file program a place in its executable belongs to. The list is read at the first question and kept. */
#ifndef NT_SOURCE_CODEMAP_BUNDLES_H
#define NT_SOURCE_CODEMAP_BUNDLES_H

#include "source/codemap_inbox.h"
#include "source/codemap_target.h"
#include "source/hand.h"
#include "source/image_bundle.h"

struct nt_codemap_bundles;

/* Both are borrowed for its life. */
struct nt_codemap_bundles *nt_codemap_bundles_new(const struct nt_codemap_target *target, struct nt_hand *hand);
void nt_codemap_bundles_free(struct nt_codemap_bundles *bundles); /* NULL is allowed */

/*
 * NT_OK: *part, where the assembly lies in the file. NT_ERR_ABSENT: the place is in none. NT_END: we are closing. May take as long as reading an image may
 * (NT_CODEMAP_TIMEOUT_NS).
 */
enum nt_status nt_codemap_bundles_find(struct nt_codemap_bundles *bundles, const struct nt_codemap_question *question,
				       struct nt_bundle_part *part);

#endif
