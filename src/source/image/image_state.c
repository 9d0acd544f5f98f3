// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_state.h"

#include "source/image/elf_sections.h"
#include "source/image/image_debug.h"
#include "target/common/elf_open.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of the words: flags, then the build id. */
enum { NATIVE, SYMBOLS, DEBUG_FILE, ID_LENGTH, ID };

static bool has_debug_file(Elf *elf, const struct nt_image_place *place)
{
	char path[NT_IMAGE_DEBUG_PATH];
	int fd = nt_image_debug_open(elf, place, path);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void nt_image_state_read(const struct nt_image_place *place, struct nt_image_state *out)
{
	struct nt_image_refusal refusal;
	char objection[NT_OBJECTION_BYTES];
	uint64_t size;
	*out = (struct nt_image_state){ 0 };
	int fd = nt_image_open(place, &size, &refusal);
	if (fd < 0) {
		if (refusal.naming != NT_NAMING_IMAGE_UNKNOWN) /* an opener's word for a file that is no image */
			snprintf(out->reason, sizeof(out->reason), "%s", refusal.reason);
		return;
	}
	Elf *elf = nt_elf_open(fd, NT_ELF_DYNAMIC, objection);
	if (elf) {
		out->native = true;
		out->build_id = nt_build_id_of(elf);
		out->symbols = nt_image_has_symtab(elf) || nt_elf_section_named(elf, ".gnu_debugdata");
		out->debug_file = !out->symbols && has_debug_file(elf, place);
	} else if (*objection) {
		snprintf(out->reason, sizeof(out->reason), "image not read: it %s", objection);
	}
	elf_end(elf);
	close(fd);
}

size_t nt_image_state_put(const struct nt_image_state *state, char bytes[NT_IMAGE_STATE_BYTES])
{
	bytes[NATIVE] = state->native;
	bytes[SYMBOLS] = state->symbols;
	bytes[DEBUG_FILE] = state->debug_file;
	bytes[ID_LENGTH] = (char)state->build_id.length;
	memcpy(bytes + ID, state->build_id.bytes, state->build_id.length);
	return ID + state->build_id.length;
}

bool nt_image_state_take(const char *bytes, size_t size, struct nt_image_state *out)
{
	*out = (struct nt_image_state){ 0 };
	if (size < ID || (size_t)(unsigned char)bytes[ID_LENGTH] != size - ID || size - ID > sizeof(out->build_id.bytes))
		return false;
	out->native = bytes[NATIVE];
	out->symbols = bytes[SYMBOLS];
	out->debug_file = bytes[DEBUG_FILE];
	out->build_id.length = size - ID;
	memcpy(out->build_id.bytes, bytes + ID, size - ID);
	return true;
}
