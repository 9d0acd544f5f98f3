/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the first page of an image says, of the file or of the memory that it was mapped to: which build it is, and which parts of the file are in memory as they are in the file. ELF (its build id, NT_GNU_BUILD_ID) and PE (ECMA-335 II.25; which has none: its whole
 * head tells it, in which compilers put a checksum of all of it). Pure, of hostile bytes.
 */
#ifndef NT_DECODE_IMAGE_HEAD_H
#define NT_DECODE_IMAGE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NT_IMAGE_HEAD_BYTES = 4096, NT_IMAGE_ID_MAX = 64, NT_IMAGE_PARTS_MAX = 32 };

/* Offsets in the file. */
struct nt_image_part {
	uint64_t start, end;
};

struct nt_image_head {
	bool is_elf, is_pe;
	uint8_t id[NT_IMAGE_ID_MAX];
	size_t id_length;                               /* of ELF; 0 = none, or not in the first page */
	struct nt_image_part parts[NT_IMAGE_PARTS_MAX]; /* nothing writes there, neither the program nor who loads it */
	size_t part_count;
};

/* False: it is neither; *out is empty. */
bool nt_image_head_read(const uint8_t page[NT_IMAGE_HEAD_BYTES], struct nt_image_head *out);

/* Are `size` bytes at an offset of the file in such a part? */
bool nt_image_head_is_constant(const struct nt_image_head *head, uint64_t offset, uint64_t size);

enum nt_image_match { NT_IMAGE_SAME, NT_IMAGE_OTHER, NT_IMAGE_UNSURE };

/* Are both pages of one build? */
enum nt_image_match nt_image_head_match(const uint8_t a[NT_IMAGE_HEAD_BYTES], const uint8_t b[NT_IMAGE_HEAD_BYTES]);

#endif
