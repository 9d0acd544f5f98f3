// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: one byte flags (bit 0: entries of 8 bytes, else 16), the address of the section, the segment's address, offset and size as u64, then u8 sizes: entries,
 * relocations / 24, symbols / 24; these three; the rest is the string table. Every entry found must lie in the segment, and entries and gaps must follow on each
 * other.
 */
#include "fuzz.h"

#include "decode/elf/elf_plt.h"

#include <elf.h>
#include <string.h>

static const uint8_t *cut(const uint8_t **data, size_t *size, size_t wanted, size_t *got)
{
	const uint8_t *part = *data;
	*got = wanted < *size ? wanted : *size;
	*data += *got;
	*size -= *got;
	return part;
}

static void check_walk(const struct nt_symbols *symbols, const struct nt_elf_segment *segment, size_t added)
{
	size_t named = 0;
	struct nt_symbol symbol;
	for (uint64_t place = 0; place != UINT64_MAX; place = symbol.end) {
		bool found = nt_symbols_find(symbols, place, &symbol);
		FUZZ_CHECK(symbol.start == place && symbol.end > place);
		FUZZ_CHECK(!found || (nt_elf_segment_at(segment, 1, symbol.start) && strstr(symbol.name, "@plt")));
		named += found;
	}
	FUZZ_CHECK(named == nt_symbols_count(symbols) && named <= added);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t words[4];
	size_t head = 1 + sizeof(words) + 3;
	if (size < head)
		return 0;
	memcpy(words, data + 1, sizeof(words));
	const uint8_t *sizes = data + 1 + sizeof(words);
	const struct nt_elf_segment segment = { .vaddr = words[1], .offset = words[2], .file_size = words[3] };
	struct nt_symbols *functions = nt_symbols_new(), *out = nt_symbols_new();
	nt_symbols_add(functions, words[2], 16, 0, "resolver", 8);
	nt_symbols_finish(functions);
	struct nt_elf_plt plt = {
		.vaddr = words[0], .entry_bytes = data[0] & 1 ? 8 : 16, .functions = functions, .segments = &segment, .segment_count = 1
	};
	data += head;
	size -= head;
	plt.bytes = cut(&data, &size, sizes[0], &plt.size);
	plt.rela = cut(&data, &size, sizes[1] * sizeof(Elf64_Rela), &plt.rela_size);
	plt.symtab = cut(&data, &size, sizes[2] * sizeof(Elf64_Sym), &plt.symtab_size);
	plt.strtab = (const char *)data;
	plt.strtab_size = size;
	size_t added = nt_elf_plt_read(&plt, out);
	nt_symbols_finish(out);
	check_walk(out, &segment, added);
	nt_symbols_free(functions);
	nt_symbols_free(out);
	return 0;
}
