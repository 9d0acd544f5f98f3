// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/build_id.h"

#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <string.h>

struct nt_build_id nt_build_id_of(Elf *elf)
{
	struct nt_build_id id = { 0 };
	const void *bytes;
	ssize_t length = dwelf_elf_gnu_build_id(elf, &bytes);
	if (length < 2 || length > NT_BUILD_ID_MAX)
		return id;
	id.length = (size_t)length;
	memcpy(id.bytes, bytes, id.length);
	return id;
}

bool nt_build_id_same(const struct nt_build_id *a, const struct nt_build_id *b)
{
	return a->length && a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

const char *nt_build_id_text(const struct nt_build_id *id, char text[NT_BUILD_ID_TEXT])
{
	text[0] = '\0';
	for (size_t i = 0; i < id->length; i++)
		snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
	return text;
}
