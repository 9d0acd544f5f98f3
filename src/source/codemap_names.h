/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers the model's questions: image and file offset -> name of the function there and the range for which the answer holds, or the reason why
 * there is none. Symbol tables are read at the first question for an image and kept. */
#ifndef NT_SOURCE_CODEMAP_NAMES_H
#define NT_SOURCE_CODEMAP_NAMES_H

#include "source/codemap_out.h"
#include "source/codemap_target.h"
#include "source/hand.h"

struct nt_codemap_names;

/* Both are borrowed for its life. */
struct nt_codemap_names *nt_codemap_names_new(const struct nt_codemap_target *target, struct nt_hand *hand);
void nt_codemap_names_free(struct nt_codemap_names *names); /* NULL is allowed */

/* Put one NAME event into `out`. May take as long as reading an image may (NT_CODEMAP_TIMEOUT_NS). */
void nt_codemap_names_answer(struct nt_codemap_names *names, const struct nt_codemap_question *question, struct nt_codemap_out *out);

/* What kind of code an image holds, from its name: the runtime's own libraries, or other native code. */
enum nt_code_kind nt_codemap_image_kind(const char *image);

#endif
