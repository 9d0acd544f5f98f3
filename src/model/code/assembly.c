// SPDX-License-Identifier: GPL-2.0-only
#include "model/code/assembly.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <stdlib.h>
#include <string.h>

void nt_assembly_fini(struct nt_assembly *assembly)
{
	free(assembly->lines);
	free(assembly->texts);
	*assembly = (struct nt_assembly){ 0 };
}

static bool in_batch(const struct nt_batch_line *line, const struct nt_batch *batch)
{
	return line->offset <= batch->byte_count && line->length <= batch->byte_count - line->offset;
}

void nt_assembly_take(struct nt_assembly *assembly, const struct nt_ev_assembly *said, const struct nt_batch *batch, const char *reason)
{
	const struct nt_batch_line *lines = batch->lines + said->first;
	size_t bytes = 0;
	nt_assembly_fini(assembly);
	assembly->said = true;
	assembly->reason = reason;
	for (uint32_t i = 0; i < said->count; i++)
		bytes += lines[i].length + 1;
	if (bytes > batch->byte_count + said->count) /* each has its own bytes */
		return;
	assembly->lines = nt_realloc(NULL, said->count, sizeof(*assembly->lines));
	assembly->texts = nt_realloc(NULL, bytes, 1);
	size_t used = 0;
	for (uint32_t i = 0; i < said->count; i++) {
		bool follows = !assembly->count || lines[i].start > assembly->lines[assembly->count - 1].address;
		if (!follows || !in_batch(&lines[i], batch))
			continue;
		assembly->lines[assembly->count++] =
			(struct nt_assembly_line){ .address = lines[i].start, .size = lines[i].size, .text = (uint32_t)used };
		memcpy(assembly->texts + used, batch->bytes + lines[i].offset, lines[i].length);
		used += lines[i].length;
		assembly->texts[used++] = '\0';
	}
}

size_t nt_assembly_find(const struct nt_assembly *assembly, uint64_t address)
{
	size_t next = nt_starts_up_to(assembly->lines, assembly->count, sizeof(*assembly->lines), address);
	bool found = next && address - assembly->lines[next - 1].address < assembly->lines[next - 1].size;
	return found ? next - 1 : SIZE_MAX;
}
