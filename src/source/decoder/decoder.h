/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/decoder: the process without rights that reads images and machine code. */
/*
 * nettop's side of the decoder: a process without rights (decoder_process.h) that reads images of strangers and says what is in them. It is started at the first question,
 * killed when it takes too long, and replaced when it ends, however that came. Nothing is lost with it but what it had read.
 */
#ifndef NT_SOURCE_DECODER_H
#define NT_SOURCE_DECODER_H

#include "source/image/image_question.h"
#include "source/common/files_target.h"
#include "source/common/hand.h"
#include "source/decoder/decoder_wire.h"
#include "source/image/debug_candidates.h"

struct nt_decoder;

/* CPU time that a question may take; besides, it may wait NT_FILES_TIMEOUT_NS without a word. */
#define NT_DECODER_CPU_NS (2 * NT_NS_PER_S)

/*
 * Both are borrowed for its life; the hand opens what the decoder wants opened. NULL, both: it is only asked about files that are handed over with the question. `word`: which decoder (decoder_process.h), a static
 * text. No process is started yet.
 */
struct nt_decoder *nt_decoder_new(const struct nt_files_target *target, struct nt_hand *hand, const char *word);

/* Kills it. NULL is allowed. Only the thread that asks, or after that ended. */
void nt_decoder_free(struct nt_decoder *decoder);

/* One question. Borrowed, with its texts, until it is answered. */
struct nt_decoder_request {
	enum nt_decoder_verb verb;
	struct nt_image_question of; /* image, inode, offset, and the mapping by which the image is opened */
	uint64_t base;               /* this and the next: as in struct nt_decoder_question */
	const void *bytes;
	size_t length;
	int fd; /* of a decoder without a target: the file, open and judged; else without a meaning */
};

struct nt_decoder_debug {
	char path[NT_IMAGE_DEBUG_PATH]; /* as we see it; "" = none */
	uint64_t size;
};

/* Borrowed for the call. Within bounds, but not necessarily true. */
struct nt_decoder_reply {
	const struct nt_decoder_answer *answer;
	const struct nt_decoder_table *table; /* what the verb has besides; empty with a reason */
	const struct nt_decoder_debug *debug; /* the candidate for a debug file that it was handed last */
	bool for_now;                         /* a reason that need not have to do with the image: ask again some time */
	bool killed;                          /* of these: it is killed all the time, by somebody or for want of memory */
};

/* Called for each question, in their order. */
typedef void nt_decoder_answered(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply);

/*
 * Each is answered: where the decoder does not, by a reason. An image (or machine code) by which it was killed is not given to it again for the same kind of question. May take
 * NT_FILES_TIMEOUT_NS for each question, and for each file that is opened. One thread at a time asks; the process ends with the one that had it started.
 */
void nt_decoder_ask(struct nt_decoder *decoder, const struct nt_decoder_request *requests, size_t count, nt_decoder_answered *answered,
		    void *context);

/* There are no more questions at present: its process ends, and with it the memory that it takes. The thread that asks. */
void nt_decoder_rest(struct nt_decoder *decoder);

/* Are both of the same image? */
bool nt_decoder_of_one_image(const struct nt_decoder_request *a, const struct nt_decoder_request *b);

/* From any thread: the present and every later nt_decoder_ask() returns at once, with questions unanswered. */
void nt_decoder_cancel(struct nt_decoder *decoder);

/* CPU time of its processes, ns, as of the last question. From any thread. */
uint64_t nt_decoder_cpu_ns(const struct nt_decoder *decoder);

/* Memory resident of the present one, but for what it shares (program text); 0 = there is none. From any thread. */
uint64_t nt_decoder_bytes(struct nt_decoder *decoder);

#endif
