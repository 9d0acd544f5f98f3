// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_process.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "base/hash.h"
#include "base/passed_fds.h"
#include "nettop/clock.h"
#include "source/decoder/decoder_answers.h"
#include "source/decoder/decoder_confined.h"
#include "source/decoder/decoder_wire.h"
#include "source/image/debug_candidates.h"
#include "source/image/cfi_image.h"
#include "source/image/disassembly.h"
#include "target/process/executable.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A block of this size is the system's, and not malloc()'s to keep. */
enum { LARGE_BYTES = 16 << 20 };

/* What the images of a small program take, or somewhat less. */
enum { USUAL_BYTES = 2 << 20 };

struct decoder {
	struct nt_decoder_answers *answers;
	struct nt_image_opener opener;
	uint32_t number;    /* of the question in hand */
	bool unrested;      /* questions were answered since the last rest */
	nt_time rested;     /* when that was; at first: when it began */
	nt_time spoken;     /* when nettop was last told something */
	size_t said_length; /* of the answers that are not sent yet */
	char packet[NT_DECODER_PACKET], said[NT_DECODER_PACKET];
};

/* A packet costs as much as some answers. But who hears nothing counts the time, and what it would have heard is lost when this process is killed: so none waits longer. */
static const nt_time silence_most_ns = 20 * NT_NS_PER_MS;

bool nt_decoder_is_meant(int argc, char **argv)
{
	return argc == 2 && (strcmp(argv[1], NT_DECODER_WORD) == 0 || strcmp(argv[1], NT_DECODER_CODE_WORD) == 0 ||
			     strcmp(argv[1], NT_DECODER_CFI_WORD) == 0);
}

/* nettop has gone, or closed its end. */
_Noreturn static void end(void)
{
	_exit(0);
}

static void say(const void *packet, size_t length)
{
	ssize_t written;
	while ((written = write(NT_DECODER_FD, packet, length)) < 0 && errno == EINTR)
		continue;
	if (written < 0)
		end();
}

static void send_answers(struct decoder *decoder)
{
	if (decoder->said_length)
		say(decoder->said, decoder->said_length);
	decoder->said_length = 0;
	decoder->spoken = nt_clock_now();
}

/* The next packet, with a descriptor in *fd if one comes with it (-1 = none). */
static size_t hear(void *packet, size_t size, int *fd)
{
	int fds[NT_PASSED_FDS_MAX];
	size_t count;
	ssize_t got;
	while ((got = nt_passed_fds_take(NT_DECODER_FD, packet, size, 0, fds, &count)) < 0 && errno == EINTR)
		continue;
	*fd = count ? fds[0] : -1; /* nettop sends no more than one */
	if (got <= 0)
		end();
	return (size_t)got;
}

/* ---- files are opened by nettop ---- */

static int ask_for(struct decoder *decoder, struct nt_decoder_open *wanted, struct nt_decoder_opened *opened)
{
	int fd;
	send_answers(decoder);
	wanted->what = NT_DECODER_OPEN;
	wanted->number = decoder->number;
	say(wanted, sizeof(*wanted));
	if (hear(opened, sizeof(*opened), &fd) != sizeof(*opened) || opened->what != NT_DECODER_OPENED)
		end();
	return fd;
}

static int open_image(void *context, const struct nt_image_place *place, uint64_t *size, struct nt_image_refusal *refusal)
{
	struct nt_decoder_open wanted = { .file = place->inode ? NT_DECODER_IMAGE : NT_DECODER_BESIDE };
	struct nt_decoder_opened opened;
	if (!place->inode)
		snprintf(wanted.name, sizeof(wanted.name), "%s", nt_file_base_name(place->path));
	int fd = ask_for(context, &wanted, &opened);
	*size = opened.size;
	if (fd < 0) {
		refusal->naming = opened.naming;
		snprintf(refusal->reason, sizeof(refusal->reason), "%s",
			 *opened.reason ? opened.reason : "image unreadable: too many files");
	}
	return fd;
}

static int open_debug(void *context, const struct nt_debug_wanted *of, unsigned *next)
{
	struct nt_decoder_open wanted = { .file = NT_DECODER_DEBUG, .next = *next, .id_length = (uint32_t)of->build_id.length };
	struct nt_decoder_opened opened;
	memcpy(wanted.id, of->build_id.bytes, of->build_id.length);
	if (of->link && strlen(of->link) < sizeof(wanted.name))
		memcpy(wanted.name, of->link, strlen(of->link));
	int fd = ask_for(context, &wanted, &opened);
	*next = opened.next;
	return fd;
}

/* ---- answers ---- */

static void put_answer(struct decoder *decoder, const struct nt_decoder_answer *answer)
{
	size_t length = nt_decoder_answer_length(answer);
	if (length > sizeof(decoder->said) - decoder->said_length)
		send_answers(decoder);
	memcpy(decoder->said + decoder->said_length, answer, length);
	decoder->said_length += length;
	if (nt_clock_now() - decoder->spoken > silence_most_ns)
		send_answers(decoder);
}

static void say_part(void *context, enum nt_decoder_column column, const void *items, size_t size)
{
	/* A whole number of items of any column. */
	enum {
		MOST = NT_DECODER_PART / (sizeof(struct nt_batch_line) * sizeof(struct nt_batch_place)) *
		       (sizeof(struct nt_batch_line) * sizeof(struct nt_batch_place))
	};
	static char packet[sizeof(struct nt_decoder_part) + MOST];
	struct decoder *decoder = context;
	send_answers(decoder); /* what comes next is of the question in hand */
	for (size_t at = 0, more; at < size; at += more) {
		more = size - at < MOST ? size - at : MOST;
		const struct nt_decoder_part part = { NT_DECODER_TABLE, decoder->number, column, (uint32_t)more };
		memcpy(packet, &part, sizeof(part));
		memcpy(packet + sizeof(part), (const char *)items + at, more);
		say(packet, sizeof(part) + more);
	}
}

static void answer(struct decoder *decoder, const struct nt_decoder_question *question)
{
	struct nt_decoder_answer answer = { .what = NT_DECODER_ANSWER, .number = decoder->number };
	nt_decoder_answers_give(decoder->answers, question, &answer, say_part, decoder);
	put_answer(decoder, &answer);
}

/*
 * Does nobody ask for a while? Questions come in bursts, each of which needs much of what the one before did; the first ones follow each other for some seconds, and from then on there may be one
 * in each interval.
 */
static bool is_quiet(const struct decoder *decoder)
{
	static const nt_time a_while = 250 * NT_NS_PER_MS, between_rests = 3 * NT_NS_PER_S;
	nt_time now = nt_clock_now(), due = decoder->rested + between_rests, wait = due > now + a_while ? due - now : a_while;
	const struct timespec timeout = { .tv_sec = (time_t)(wait / NT_NS_PER_S), .tv_nsec = (long)(wait % NT_NS_PER_S) };
	struct pollfd from = { .fd = NT_DECODER_FD, .events = POLLIN };
	return ppoll(&from, 1, &timeout, NULL) == 0;
}

/* Files are closed (a composite image may have opened many), and what was read of them goes back to the system. */
static void rest(struct decoder *decoder)
{
	if (nt_decoder_answers_rest(decoder->answers))
		malloc_trim(0);
	decoder->unrested = false;
	decoder->rested = nt_clock_now();
}

/* `more`: are there questions that will follow at once? */
static size_t hear_questions(struct decoder *decoder, bool more)
{
	int fd;
	if (!more && decoder->unrested && is_quiet(decoder))
		rest(decoder);
	return hear(decoder->packet, sizeof(decoder->packet), &fd);
}

int nt_decoder_serve(const char *word)
{
	struct nt_error nobody_asks = { 0 };
	bool code = strcmp(word, NT_DECODER_CODE_WORD) == 0;
	prctl(PR_SET_NAME, code ? "nettop-code" : "nettop-decoder");
	nt_hash_choose_secret();
	if (code)
		nt_disassembly_prepare();
	else if (strcmp(word, NT_DECODER_CFI_WORD) == 0)
		nt_cfi_prepare(&nobody_asks);
	else
		nt_executable_prepare();
	/* What an image took is used for the next one, and goes back to the system when nobody asks: by itself malloc() would return it at once, and have a page fault for each page again. */
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, LARGE_BYTES);
	nt_touch_heap(USUAL_BYTES);
	struct decoder *decoder = nt_realloc(NULL, 1, sizeof(*decoder));
	memset(decoder, 0, offsetof(struct decoder, packet)); /* not the packets, which are large */
	if (!nt_decoder_confine(NT_DECODER_FD + 1))
		return 1;
	decoder->rested = nt_clock_now();
	decoder->opener = (struct nt_image_opener){ .image = open_image, .debug = open_debug, .context = decoder };
	decoder->answers = nt_decoder_answers_new(&decoder->opener);
	for (bool more = false;;) {
		struct nt_decoder_question questions[NT_DECODER_BATCH];
		size_t count = nt_decoder_take_questions(decoder->packet, hear_questions(decoder, more), questions, &more);
		if (!count)
			end();
		decoder->spoken = nt_clock_now();
		decoder->unrested = true;
		for (size_t i = 0; i < count; i++) {
			decoder->number = (uint32_t)i;
			answer(decoder, &questions[i]);
		}
		send_answers(decoder);
	}
}
