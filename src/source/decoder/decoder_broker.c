// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_broker.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "source/common/foreign_file.h"
#include "source/image/debug_candidates.h"
#include "source/image/question_place.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct opening {
	struct nt_errand errand;
	enum nt_decoder_verb verb;
	struct nt_question_place of;
	struct nt_decoder_open wanted;
	struct nt_decoder_opened opened;
	struct nt_decoder_debug debug;
	int fd; /* -1 = refused; the errand's until it is taken */
};

static void refuse(struct opening *opening, enum nt_naming naming, const char *before, const char *what)
{
	if (opening->fd >= 0)
		close(opening->fd);
	opening->fd = -1;
	opening->opened.naming = naming;
	snprintf(opening->opened.reason, sizeof(opening->opened.reason), "%s%.100s", before, what);
}

/* ---- what a file is, by its first bytes ---- */

enum looks { LOOKS_AS_WANTED, LOOKS_OTHERWISE, LOOKS_UNREADABLE };

/* In either byte order: files of other machines are told apart by the decoder. */
static bool is_core_dump(const unsigned char *head)
{
	return (head[EI_NIDENT] == ET_CORE && !head[EI_NIDENT + 1]) || (!head[EI_NIDENT] && head[EI_NIDENT + 1] == ET_CORE);
}

static enum looks look_at(int fd, bool pdb)
{
	unsigned char head[EI_NIDENT + 2] = { 0 };
	ssize_t got = nt_foreign_read(fd, head, sizeof(head), 0);
	if (got < 0)
		return LOOKS_UNREADABLE;
	bool program = memcmp(head, "MZ", 2) == 0 || (memcmp(head, ELFMAG, SELFMAG) == 0 && !is_core_dump(head));
	return (pdb ? memcmp(head, "BSJB", 4) == 0 : program) ? LOOKS_AS_WANTED : LOOKS_OTHERWISE;
}

/* ---- which file ---- */

static void open_place(struct opening *opening, const struct nt_image_place *place, bool pdb)
{
	struct nt_image_refusal refusal;
	opening->fd = nt_image_open(place, &opening->opened.size, &refusal);
	if (opening->fd < 0) {
		refuse(opening, refusal.naming, "", refusal.reason);
		return;
	}
	switch (look_at(opening->fd, pdb)) {
	case LOOKS_AS_WANTED:
		break;
	case LOOKS_OTHERWISE:
		refuse(opening, NT_NAMING_IMAGE_UNKNOWN,
		       pdb ? "it is no portable PDB" : "no ELF image: ", pdb ? "" : nt_file_base_name(place->path));
		break;
	case LOOKS_UNREADABLE:
		refuse(opening, NT_NAMING_IMAGE_UNREADABLE, "image unreadable: ", strerrordesc_np(errno));
		break;
	}
}

static bool names_assembly(const char *name)
{
	size_t length = strlen(name);
	return !strchr(name, '/') && length > 4 && strcmp(name + length - 4, ".dll") == 0;
}

/* Shop.pdb beside /app/Shop.dll */
static bool names_own_pdb(const struct opening *opening)
{
	const char *image = nt_file_base_name(opening->of.place.path), *name = opening->wanted.name;
	size_t stem = strlen(name) - 4;
	return opening->verb == NT_DECODE_SOURCE && strlen(name) > 4 && strcmp(name + stem, ".pdb") == 0 && strlen(image) == stem + 4 &&
	       memcmp(image, name, stem) == 0;
}

static void open_beside(struct opening *opening)
{
	const struct nt_image_place *image = &opening->of.place;
	bool pdb = names_own_pdb(opening);
	if (!pdb && !names_assembly(opening->wanted.name)) {
		refuse(opening, NT_NAMING_IMAGE_UNREADABLE, "it is no assembly", "");
		return;
	}
	char *path = nt_format("%.*s%s", (int)(nt_file_base_name(image->path) - image->path), image->path, opening->wanted.name);
	const struct nt_image_place beside = { .root_dir = image->root_dir, .path = path, .uid = image->uid };
	open_place(opening, &beside, pdb);
	free(path);
}

static void open_debug(struct opening *opening)
{
	struct nt_debug_wanted wanted = { .link = opening->wanted.name, .build_id.length = opening->wanted.id_length };
	struct stat stat;
	memcpy(wanted.build_id.bytes, opening->wanted.id, opening->wanted.id_length);
	opening->opened.next = opening->wanted.next;
	while ((opening->fd = nt_debug_candidate_open(&opening->of.place, &wanted, &opening->opened.next, opening->debug.path)) >= 0) {
		if (look_at(opening->fd, false) == LOOKS_AS_WANTED) {
			opening->debug.size = fstat(opening->fd, &stat) == 0 ? (uint64_t)stat.st_size : 0;
			return;
		}
		close(opening->fd);
	}
	opening->debug.path[0] = '\0';
}

/* ---- the errand ---- */

static void run(struct nt_errand *errand)
{
	struct opening *opening = (struct opening *)errand;
	switch ((enum nt_decoder_file)opening->wanted.file) {
	case NT_DECODER_IMAGE:
		open_place(opening, &opening->of.place, false);
		break;
	case NT_DECODER_BESIDE:
		open_beside(opening);
		break;
	case NT_DECODER_DEBUG:
		open_debug(opening);
		break;
	case NT_DECODER_FILE_COUNT:
		break;
	}
}

static void release(struct nt_errand *errand)
{
	struct opening *opening = (struct opening *)errand;
	nt_question_place_fini(&opening->of);
	if (opening->fd >= 0)
		close(opening->fd);
	free(opening);
}

/* A runtimeconfig.json. */
static bool may_be_json(int fd)
{
	char first;
	return nt_foreign_read(fd, &first, 1, 0) == 1 && first == '{';
}

/* Where no process is watched, the file was opened and judged by who asks. */
static void lend(int file, const struct nt_decoder_open *wanted, struct nt_decoder_opened *out, int *fd)
{
	*out = (struct nt_decoder_opened){ .what = NT_DECODER_OPENED, .naming = NT_NAMING_IMAGE_UNREADABLE };
	bool fits = wanted->file == NT_DECODER_IMAGE && (look_at(file, false) == LOOKS_AS_WANTED || may_be_json(file));
	*fd = fits ? fcntl(file, F_DUPFD_CLOEXEC, 0) : -1;
	if (*fd < 0)
		snprintf(out->reason, sizeof(out->reason), "its executable is not read: it is no program");
}

enum nt_status nt_decoder_broker_open(const struct nt_files_target *target, struct nt_hand *hand, const struct nt_decoder_request *asked,
				      const struct nt_decoder_open *wanted, struct nt_decoder_opened *out, int *fd,
				      struct nt_decoder_debug *debug)
{
	if (!target) {
		lend(asked->fd, wanted, out, fd);
		return NT_OK;
	}
	struct opening *opening = nt_alloc(sizeof(*opening));
	opening->errand = (struct nt_errand){ .run = run, .release = release };
	opening->verb = asked->verb;
	nt_question_place_init(&opening->of, target, &asked->of);
	opening->wanted = *wanted;
	opening->opened.what = NT_DECODER_OPENED;
	opening->fd = -1;
	*fd = -1;
	enum nt_status status = nt_hand_do(hand, &opening->errand, NT_FILES_TIMEOUT_NS);
	if (status == NT_OK) {
		*out = opening->opened;
		if (*opening->debug.path)
			*debug = opening->debug;
		*fd = opening->fd;
		opening->fd = -1;
		release(&opening->errand);
		return NT_OK;
	}
	*out = (struct nt_decoder_opened){ .what = NT_DECODER_OPENED,
					   .naming = NT_NAMING_IMAGE_UNREADABLE,
					   .reason = "image unreadable: timed out" };
	return status == NT_END ? NT_END : NT_OK;
}
