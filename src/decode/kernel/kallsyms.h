/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel writes about its functions: /proc/kallsyms, `ADDRESS TYPE NAME[\t[MODULE]]`, one symbol per line, not sorted across modules; and
 * its words for one place, `NAME+0xOFFSET/0xSIZE[ [MODULE]]`.
 */
#ifndef NT_DECODE_KALLSYMS_H
#define NT_DECODE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_kallsym {
	uint64_t address; /* never 0 */
	const char *name; /* borrowed, not NUL-terminated; length > 0 */
	size_t name_length;
	const char *module; /* without brackets; length 0 = the kernel itself */
	size_t module_length;
	char type; /* t T w W: functions */
};

struct nt_kallsyms_parser {
	uint64_t symbol_count; /* functions visited */
	uint64_t hidden_count; /* functions with address 0: kernel.kptr_restrict hides them */
	uint64_t bad_count;    /* lines that are none of the format */
};

typedef void nt_kallsyms_visit(void *context, const struct nt_kallsym *symbol);

/*
 * Call `visit` for each function among the complete lines of text[0..length); data symbols are passed over. Returns the bytes consumed: the
 * rest is the beginning of a line, to be presented again with what follows. Zero the parser to start.
 */
size_t nt_kallsyms_parse(struct nt_kallsyms_parser *parser, const char *text, size_t length, nt_kallsyms_visit *visit, void *context);

struct nt_kernel_place {
	uint64_t offset, size;
	const char *name; /* borrowed, not NUL-terminated; length > 0 */
	size_t name_length;
};

/* False: another form; where no function is, the kernel writes a bare address. */
bool nt_kernel_place_parse(const char *text, size_t length, struct nt_kernel_place *out);

#endif
