/* SPDX-License-Identifier: GPL-2.0-only */
/* What the decoder (decoder_process.h) does with each kind of question: the one place where its parsers are called. */
#ifndef NT_SOURCE_DECODER_ANSWERS_H
#define NT_SOURCE_DECODER_ANSWERS_H

#include "source/decoder/decoder_wire.h"
#include "source/image/image_file.h"

struct nt_decoder_answers;

/* `opener` is borrowed for its life. */
struct nt_decoder_answers *nt_decoder_answers_new(const struct nt_image_opener *opener);

/* Takes a piece of a table; `size` bytes, whole items. */
typedef void nt_decoder_say_part(void *context, enum nt_decoder_column column, const void *items, size_t size);

/* Fill *answer but for `what` and `number`, after its tables were handed over. */
void nt_decoder_answers_give(struct nt_decoder_answers *answers, const struct nt_decoder_question *question,
			     struct nt_decoder_answer *answer, nt_decoder_say_part *say, void *context);

/* There are no more questions at present: close files. True: something was read since the last time, which leaves freed memory behind. */
bool nt_decoder_answers_rest(struct nt_decoder_answers *answers);

#endif
