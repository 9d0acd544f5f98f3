/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of one image file of the target, through libelf: its .symtab, else that of its separate debug file (found by build-id or debuglink),
 * else its .dynsym. Reads files of others: run it by a hand (hand.h).
 */
#ifndef NT_SOURCE_IMAGE_SYMBOLS_H
#define NT_SOURCE_IMAGE_SYMBOLS_H

#include "nettop/event.h"
#include "source/image_file.h"
#include "source/image_segments.h"

enum nt_image_form {
	NT_IMAGE_UNREADABLE, /* no file, or not the one that is mapped; `reason` says why */
	NT_IMAGE_OTHER,      /* neither ELF nor PE, or broken; `reason` says how */
	NT_IMAGE_PE,         /* a managed assembly: its names are read by image_r2r.h */
	NT_IMAGE_ELF,
};

struct nt_image_symbols {
	enum nt_image_form form;
	char reason[200];           /* one sentence when there are no names at all; else "" */
	enum nt_naming naming;      /* its kind */
	bool exports_only;          /* the names are those of .dynsym: a place without one is a function that is not exported */
	struct nt_symbols *symbols; /* owned; finished; NULL = none */
	struct nt_elf_segment segments[NT_IMAGE_SEGMENTS_MAX]; /* executable ones */
	size_t segment_count;
	uint64_t file_size;
};

/* Fill *image; never fails, says why there are no names instead. End with nt_image_symbols_fini(). */
void nt_image_symbols_load(struct nt_image_symbols *image, const struct nt_image_place *place);

/* The same for an ELF image in memory (the vdso). The bytes are borrowed for the call. */
void nt_image_symbols_load_memory(struct nt_image_symbols *image, const char *name, const void *bytes, size_t size);

void nt_image_symbols_fini(struct nt_image_symbols *image);

#endif
