/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers the model's questions for generated code without a record: which of the runtime's stubs it is, by the machine code in the target's memory. */
#ifndef NT_SOURCE_CODEMAP_STUBS_H
#define NT_SOURCE_CODEMAP_STUBS_H

#include "source/codemap/codemap_out.h"
#include "source/common/files_target.h"
#include "source/decoder/decoder.h"

/*
 * Put NAME events into `out` that answer the questions, all for NT_STUB_IMAGE: stubs of one kind that lie together are one answer. What is none that is known has the
 * reason NT_NAMING_NO_LINE. Sorts the questions.
 */
void nt_codemap_stubs_answer(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder,
			     struct nt_image_question *questions, size_t count, struct nt_codemap_out *out);

#endif
