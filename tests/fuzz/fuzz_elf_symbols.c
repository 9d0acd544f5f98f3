// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: one byte class (bit 0: 64), one byte number of segments (at most 4), each vaddr, offset, file size as u64; u16 size of the symbol table; the
 * table; the rest is the string table. Every range found must lie in a segment, and the ranges and gaps must follow on each other.
 */
#include "fuzz.h"

#include "decode/elf/elf_symbols.h"

#include <string.h>

struct input {
	const uint8_t *data;
	size_t size;
};

/* The next `size` bytes; fewer at the end. */
static struct input cut(struct input *input, size_t size)
{
	struct input part = { input->data, size < input->size ? size : input->size };
	input->data += part.size;
	input->size -= part.size;
	return part;
}

static unsigned byte(struct input *input)
{
	struct input part = cut(input, 1);
	return part.size ? part.data[0] : 0;
}

static void check_walk(const struct nt_symbols *symbols, const struct nt_elf_tables *tables)
{
	uint64_t place = 0;
	size_t named = 0;
	for (;;) {
		struct nt_symbol symbol;
		bool found = nt_symbols_find(symbols, place, &symbol);
		FUZZ_CHECK(symbol.start == place && symbol.end > place);
		FUZZ_CHECK(found == (symbol.name != NULL));
		if (found) {
			FUZZ_CHECK(strlen(symbol.name) > 0 && strlen(symbol.name) < tables->strtab_size + 1);
			const struct nt_elf_segment *segment = nt_elf_segment_at(tables->segments, tables->segment_count, symbol.start);
			FUZZ_CHECK(segment != NULL);
			named++;
		}
		if (symbol.end == UINT64_MAX)
			break;
		place = symbol.end;
	}
	FUZZ_CHECK(named == nt_symbols_count(symbols));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	struct nt_elf_segment segments[4];
	struct nt_elf_tables tables = { .is64 = byte(&input) & 1, .segments = segments };
	tables.segment_count = byte(&input) % 5;
	for (size_t i = 0; i < tables.segment_count; i++) {
		uint64_t words[3] = { 0 };
		struct input part = cut(&input, sizeof(words));
		memcpy(words, part.data, part.size);
		segments[i] = (struct nt_elf_segment){ .vaddr = words[0], .offset = words[1], .file_size = words[2] };
	}
	size_t symtab_size = byte(&input);
	symtab_size |= (size_t)byte(&input) << 8;
	struct input symtab = cut(&input, symtab_size);
	tables.symtab = symtab.data;
	tables.symtab_size = symtab.size;
	tables.strtab = (const char *)input.data;
	tables.strtab_size = input.size;

	struct nt_symbols *symbols = nt_symbols_new();
	nt_elf_symbols_read(&tables, symbols);
	nt_symbols_finish(symbols);
	check_walk(symbols, &tables);
	nt_symbols_free(symbols);
	return 0;
}
