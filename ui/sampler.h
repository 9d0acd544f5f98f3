/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Key S: the runtime's own sampler, for where perf gives no CPU samples. It costs the target something, so it is started after a question only, and never
 * beside perf, whose samples are better.
 */
#ifndef NT_UI_SAMPLER_H
#define NT_UI_SAMPLER_H

#include "ui/state.h"

/* The key was pressed: asks, ends it, or says why not. Returns effects. */
unsigned nt_sampler_key(struct nt_ui *ui, nt_time now);

/* What is asked, as long as `width` cells allow. */
void nt_sampler_question(int width, struct nt_line *out);

/* The answer to the question. Returns effects. */
unsigned nt_sampler_answer(struct nt_ui *ui, nt_key key, nt_time now);

/* A snapshot has come. Once perf delivers, the sampler ends. */
void nt_sampler_see(struct nt_ui *ui, nt_time now);

#endif
