/* SPDX-License-Identifier: GPL-2.0-only */
/* The target's perf map, or its jitdump, as events: CODE for each line, IDLE for how far in time it was read, SOURCE_STATE for what stands in the way. */
#ifndef NT_SOURCE_CODEMAP_PERFMAP_H
#define NT_SOURCE_CODEMAP_PERFMAP_H

#include "source/codemap/codemap_out.h"
#include "source/codemap/codemap_switch.h"
#include "source/codemap/jitdump_code.h"
#include "source/common/files_target.h"
#include "source/common/hand.h"

struct nt_codemap_perfmap;

/*
 * The names of the first lines, up to so many bytes, are handed over with them. What is beyond is more than ordinary programs have, and stays in the
 * file until it is asked for. (Less than what the model's heap of texts holds before it looks for waste.)
 */
enum { NT_CODEMAP_NAME_BYTES = 4 << 20 };

/* All are borrowed for its life. States first that the source starts. */
struct nt_codemap_perfmap *nt_codemap_perfmap_new(const struct nt_files_target *target, struct nt_codemap_switch *map_switch,
						  struct nt_hand *hand, struct nt_codemap_out *out);
void nt_codemap_perfmap_free(struct nt_codemap_perfmap *perfmap); /* NULL is allowed */

/* Read what is new, to its end, and flush; a map that takes too much is switched off. Returns when to look again. */
nt_time nt_codemap_perfmap_poll(struct nt_codemap_perfmap *perfmap);

/* The switch has given the map back: say if something is left of it. */
void nt_codemap_perfmap_end(struct nt_codemap_perfmap *perfmap);

/*
 * Answer at most NT_CODEMAP_PIECES_MAX questions for the image NT_MAP_IMAGE with a NAME event each. The lines are read again: what is another one by now
 * has no name.
 */
void nt_codemap_perfmap_answer(struct nt_codemap_perfmap *perfmap, const struct nt_image_question *questions, size_t count);

/* See nt_codemap_tail_read_code(); a perf map has no code. */
void nt_codemap_perfmap_read_code(struct nt_codemap_perfmap *perfmap, const struct nt_jitdump_wanted *wanted, struct nt_jitdump_code *out);

#endif
