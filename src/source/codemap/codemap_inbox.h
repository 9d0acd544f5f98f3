/* SPDX-License-Identifier: GPL-2.0-only */
/* What the main thread has for the files worker: questions, "a batch came back", stop, cancel. Any thread may call any function. */
#ifndef NT_SOURCE_CODEMAP_INBOX_H
#define NT_SOURCE_CODEMAP_INBOX_H

#include "source/image/image_question.h"

struct nt_codemap_inbox;

/* Questions kept; what does not fit is refused and asked again by the model. */
enum { NT_CODEMAP_QUESTIONS_MAX = 2048 };

struct nt_codemap_inbox *nt_codemap_inbox_new(void);
void nt_codemap_inbox_free(struct nt_codemap_inbox *inbox); /* NULL is allowed */

/* Copies of those that are about this process as many as fit; returns how many. */
size_t nt_codemap_inbox_ask(struct nt_codemap_inbox *inbox, uint32_t pid, const struct nt_question *questions, size_t count);

/* The oldest question; *out is the caller's. False: none. */
bool nt_codemap_inbox_take(struct nt_codemap_inbox *inbox, struct nt_image_question *out);

/* Main: is a perf map to be switched on? Worker: NT_CODEMAP_NEED_UNKNOWN as long as nobody has said. Once it was needed it stays so. */
enum nt_codemap_need { NT_CODEMAP_NEED_UNKNOWN, NT_CODEMAP_NOT_NEEDED, NT_CODEMAP_NEEDED };
void nt_codemap_inbox_need(struct nt_codemap_inbox *inbox, bool needed);
enum nt_codemap_need nt_codemap_inbox_needs(struct nt_codemap_inbox *inbox);

/* Finish what is there and end; end at once. Cancel implies stop. */
void nt_codemap_inbox_stop(struct nt_codemap_inbox *inbox);
void nt_codemap_inbox_cancel(struct nt_codemap_inbox *inbox);
bool nt_codemap_inbox_stopped(struct nt_codemap_inbox *inbox);
bool nt_codemap_inbox_cancelled(struct nt_codemap_inbox *inbox);

/* Worker: from now on a poke wakes it; without, nobody needs to know. Look for room again after this, then wait. */
void nt_codemap_inbox_want_room(struct nt_codemap_inbox *inbox);

/* Main: a batch was given back, so there is room again. */
void nt_codemap_inbox_poke(struct nt_codemap_inbox *inbox);

/* Worker: sleep until a question, a poke, stop or cancel comes, or until `until`. Returns at once when something came since the last wait. */
void nt_codemap_inbox_wait(struct nt_codemap_inbox *inbox, nt_time until);

#endif
