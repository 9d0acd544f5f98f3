/* SPDX-License-Identifier: GPL-2.0-only */
/* The build id of an ELF file (its note NT_GNU_BUILD_ID): a debug file belongs to the image that has the same. */
#ifndef NT_SOURCE_BUILD_ID_H
#define NT_SOURCE_BUILD_ID_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

enum { NT_BUILD_ID_MAX = 64, NT_BUILD_ID_TEXT = 2 * NT_BUILD_ID_MAX + 1 };

/* Length 0: there is none, or it is no sane one (2 to 64 bytes). */
struct nt_build_id {
	unsigned char bytes[NT_BUILD_ID_MAX];
	size_t length;
};

struct nt_build_id nt_build_id_of(Elf *elf);

/* False also when both have none. */
bool nt_build_id_same(const struct nt_build_id *a, const struct nt_build_id *b);

/* In lower-case hexadecimal digits. Returns `text`. */
const char *nt_build_id_text(const struct nt_build_id *id, char text[NT_BUILD_ID_TEXT]);

#endif
