/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of one image file of the target, through libelf: its .symtab, else that of its separate debug file (image_debug.h), else its .dynsym and what it
 * carries packed in .gnu_debugdata; besides, the entries of its procedure linkage tables; where no name covers a place, the bounds of the function that its unwind table
 * has. Methods of a Native AOT executable are named by what it carries for its own stack traces (image_aot.h), where that says more. Reads files of others: run it by a hand (hand.h).
 */
#ifndef NT_SOURCE_IMAGE_SYMBOLS_H
#define NT_SOURCE_IMAGE_SYMBOLS_H

#include "decode/elf/bounds.h"
#include "nettop/event.h"
#include "source/image/image_file.h"
#include "source/image/image_segments.h"

enum nt_image_form {
	NT_IMAGE_UNREADABLE, /* no file, or not the one that is mapped; `reason` says why */
	NT_IMAGE_OTHER,      /* neither ELF nor PE, or broken; `reason` says how */
	NT_IMAGE_PE,         /* a managed assembly: its names are read by image_r2r.h */
	NT_IMAGE_ELF,
};

struct nt_image_symbols {
	enum nt_image_form form;
	char reason[200];           /* one sentence when names are missing for a reason of its own; else "" */
	enum nt_naming naming;      /* its kind */
	bool holds_runtime;         /* a program that the runtime is linked into */
	bool exports_only;          /* the names are those of .dynsym: a place without one is a function that is not exported */
	struct nt_symbols *symbols; /* owned; finished; NULL: no ELF image */
	struct nt_symbols *plt;     /* the same, of the entries of its procedure linkage tables */
	struct nt_bounds bounds;    /* owned; finished */
	struct nt_image_aot *aot;   /* owned; NULL: no program of Native AOT */
	struct nt_elf_segment segments[NT_IMAGE_SEGMENTS_MAX]; /* executable ones */
	size_t segment_count;
	uint64_t file_size;
};

/* Fill *image; never fails, says why there are no names instead. End with nt_image_symbols_fini(). */
void nt_image_symbols_load(struct nt_image_symbols *image, const struct nt_image_place *place);

/* The same for an ELF image in memory (the vdso). The bytes are borrowed for the call. */
void nt_image_symbols_load_memory(struct nt_image_symbols *image, const char *name, const void *bytes, size_t size);

void nt_image_symbols_fini(struct nt_image_symbols *image);

/* What is known of an offset in an executable segment of an ELF image. */
struct nt_image_function {
	uint64_t start, end;    /* of the function, or of the gap between functions; within the segment */
	const char *name;       /* borrowed from the image, of a method until the next question; NULL = none */
	bool managed;           /* of Native AOT: made of a method, or for one */
	bool method;            /* `name` is a method's, as the perf map would have it; else a symbol's */
	bool bounded;           /* no name, but it is a function */
	uint64_t start_address; /* of a bounded one: the virtual address at which it begins, as in the file */
};

/* False: the image is no ELF image, or the place is in no executable segment of it. */
bool nt_image_symbols_find(struct nt_image_symbols *image, uint64_t offset, struct nt_image_function *out);

/* Memory that the tables take. */
size_t nt_image_symbols_bytes(const struct nt_image_symbols *image);

#endif
