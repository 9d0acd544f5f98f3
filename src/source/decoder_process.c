// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder_process.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/passed_fds.h"
#include "source/debug_candidates.h"
#include "source/decoder_confined.h"
#include "source/decoder_wire.h"
#include "source/demangle.h"
#include "source/image_names.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct decoder {
	struct nt_image_names *names;
	struct nt_image_opener opener;
	uint32_t number; /* of the question in hand */
	bool untrimmed;  /* images were read since memory was given back */
	char packet[NT_DECODER_PACKET];
};

bool nt_decoder_is_meant(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], NT_DECODER_WORD) == 0;
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
	int fds[NT_PASSED_FDS_MAX];
	size_t count;
	ssize_t got;
	while ((got = nt_passed_fds_take(NT_DECODER_FD, packet, size, flags, fds, &count)) < 0 && errno == EINTR)
		continue;
	*fd = count ? fds[0] : -1; /* nettop sends no more than one */
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got <= 0)
		end();
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

static void say_answer(const struct decoder *decoder, const struct nt_image_answer *found)
{
	struct nt_decoder_answer answer = { .what = NT_DECODER_ANSWER,
					    .number = decoder->number,
					    .start = found->start,
					    .end = found->end,
					    .kind = found->kind,
					    .naming = found->naming,
					    .has_name = found->name && *found->name };
	char demangled[NT_DEMANGLE_MAX];
	const char *text = found->reason ? found->reason : "";
	/* Managed names go as the runtime would write them: the model makes what is shown of them, as of lines of the perf map. */
	if (answer.has_name)
		text = found->kind == NT_CODE_R2R ? found->name : nt_demangle(found->name, demangled);
	snprintf(answer.text, sizeof(answer.text), "%s", text);
	say(&answer, nt_decoder_answer_length(&answer));
}

static void answer(struct decoder *decoder, const struct nt_decoder_question *question)
{
	const struct nt_image_place place = {
		.root_dir = "", .path = question->path, .inode = question->inode, .opener = &decoder->opener
	};
	struct nt_image_answer found;
	nt_image_names_answer(decoder->names, &place, question->offset, &found);
	say_answer(decoder, &found);
}

/* Between batches files are closed: a composite image may have opened many. When nobody asks, what was read of them goes back to the system. */
static size_t hear_questions(struct decoder *decoder)
{
	int fd;
	decoder->untrimmed |= nt_image_names_rest(decoder->names);
	size_t length = hear(decoder->packet, sizeof(decoder->packet), MSG_DONTWAIT, &fd);
	if (length)
		return length;
	if (decoder->untrimmed)
		malloc_trim(0);
	decoder->untrimmed = false;
	return hear(decoder->packet, sizeof(decoder->packet), 0, &fd);
}

int nt_decoder_serve(void)
{
	prctl(PR_SET_NAME, "nettop-decoder");
	nt_hash_choose_secret();
	mallopt(M_MMAP_THRESHOLD, 128 << 10); /* what an image took goes back when the image goes */
	struct decoder *decoder = nt_alloc(sizeof(*decoder));
	if (!nt_decoder_confine(NT_DECODER_FD + 1))
		return 1;
	decoder->opener = (struct nt_image_opener){ .image = open_image, .debug = open_debug, .context = decoder };
	decoder->names = nt_image_names_new();
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
