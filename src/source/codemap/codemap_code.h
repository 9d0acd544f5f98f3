/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers the model's questions for code: the instructions in the target's memory, because that is what runs; from the jitdump if that cannot be read or has other
 * code there by now; or the reason why they cannot be had.
 */
#ifndef NT_SOURCE_CODEMAP_CODE_H
#define NT_SOURCE_CODEMAP_CODE_H

#include "source/codemap/codemap_out.h"
#include "source/codemap/codemap_perfmap.h"
#include "source/common/files_target.h"
#include "source/decoder/decoder.h"

/* Put one ASSEMBLY event into `out`: the code at [map_start, map_end) of the question, NT_CODE_BYTES_MAX bytes of it at most. `decoder`: that of code. */
void nt_codemap_code_answer(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder,
			    struct nt_codemap_perfmap *perfmap, const struct nt_image_question *question, struct nt_codemap_out *out);

#endif
