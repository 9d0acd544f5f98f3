// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder_process.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "source/debug_candidates.h"
#include "source/decoder_answers.h"
#include "source/decoder_confined.h"
#include "source/decoder_wire.h"
#include "source/disassembly.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct decoder {
	struct nt_decoder_answers *answers;
	struct nt_image_opener opener;
	uint32_t number; /* of the question in hand */
	bool untrimmed;  /* images were read since memory was given back */
	char packet[NT_DECODER_PACKET];
};

bool nt_decoder_is_meant(int argc, char **argv)
{
	return argc == 2 && (strcmp(argv[1], NT_DECODER_WORD) == 0 || strcmp(argv[1], NT_DECODER_CODE_WORD) == 0);
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

/* The next packet, with a descriptor in *fd if one comes with it (-1 = none). 0 with MSG_DONTWAIT: there is none yet. */
static size_t hear(void *packet, size_t size, int flags, int *fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec piece = { packet, size };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	ssize_t got;
	while ((got = recvmsg(NT_DECODER_FD, &message, flags)) < 0 && errno == EINTR)
		continue;
	*fd = -1;
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got <= 0)
		end();
	const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	if (head && head->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(head), sizeof(*fd));
	return (size_t)got;
}

/* ---- files are opened by nettop ---- */

static int ask_for(const struct decoder *decoder, struct nt_decoder_open *wanted, struct nt_decoder_opened *opened)
{
	int fd;
	wanted->what = NT_DECODER_OPEN;
	wanted->number = decoder->number;
	say(wanted, sizeof(*wanted));
	if (hear(opened, sizeof(*opened), 0, &fd) != sizeof(*opened) || opened->what != NT_DECODER_OPENED)
		end();
	return fd;
}

static int open_image(void *context, const struct nt_image_place *place, uint64_t *size, struct nt_image_refusal *refusal)
{
	struct nt_decoder_open wanted = { .file = place->inode ? NT_DECODER_IMAGE : NT_DECODER_BESIDE };
	struct nt_decoder_opened opened;
	const char *slash = strrchr(place->path, '/');
	if (!place->inode)
		snprintf(wanted.name, sizeof(wanted.name), "%s", slash ? slash + 1 : place->path);
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

static void say_part(void *context, enum nt_decoder_column column, const void *items, size_t size)
{
	/* A whole number of items of any column. */
	enum {
		MOST = NT_DECODER_PART / (sizeof(struct nt_batch_line) * sizeof(struct nt_batch_place)) *
		       (sizeof(struct nt_batch_line) * sizeof(struct nt_batch_place))
	};
	static char packet[sizeof(struct nt_decoder_part) + MOST];
	const struct decoder *decoder = context;
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
	say(&answer, nt_decoder_answer_length(&answer));
}

/* Between batches files are closed: a composite image may have opened many. When nobody asks, what was read of them goes back to the system. */
static size_t hear_questions(struct decoder *decoder)
{
	int fd;
	decoder->untrimmed |= nt_decoder_answers_rest(decoder->answers);
	size_t length = hear(decoder->packet, sizeof(decoder->packet), MSG_DONTWAIT, &fd);
	if (length)
		return length;
	if (decoder->untrimmed)
		malloc_trim(0);
	decoder->untrimmed = false;
	return hear(decoder->packet, sizeof(decoder->packet), 0, &fd);
}

int nt_decoder_serve(const char *word)
{
	bool code = strcmp(word, NT_DECODER_CODE_WORD) == 0;
	prctl(PR_SET_NAME, code ? "nettop-code" : "nettop-decoder");
	nt_hash_choose_secret();
	if (code)
		nt_disassembly_prepare();
	mallopt(M_MMAP_THRESHOLD, 128 << 10); /* what an image took goes back when the image goes */
	struct decoder *decoder = nt_alloc(sizeof(*decoder));
	if (!nt_decoder_confine(NT_DECODER_FD + 1))
		return 1;
	decoder->opener = (struct nt_image_opener){ .image = open_image, .debug = open_debug, .context = decoder };
	decoder->answers = nt_decoder_answers_new(&decoder->opener);
	for (;;) {
		struct nt_decoder_question questions[NT_DECODER_BATCH];
		size_t count = nt_decoder_take_questions(decoder->packet, hear_questions(decoder), questions);
		if (!count)
			end();
		for (size_t i = 0; i < count; i++) {
			decoder->number = (uint32_t)i;
			answer(decoder, &questions[i]);
		}
	}
}
