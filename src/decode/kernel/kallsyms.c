// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/kallsyms.h"

#include "decode/common/digits.h"

#include <string.h>

/* No symbol of the kernel is longer (KSYM_NAME_LEN is 512); what is, is another file. */
enum { LINE_LIMIT = 4096 };

static bool is_function(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* `ADDRESS TYPE NAME` and for modules `\t[MODULE]` in [at, end). */
static bool read_line(const char *at, const char *end, struct nt_kallsym *symbol)
{
	if (!nt_hex_read(&at, end, &symbol->address) || end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return false;
	symbol->type = at[1];
	symbol->name = at + 3;
	const char *tab = memchr(symbol->name, '\t', (size_t)(end - symbol->name));
	symbol->name_length = (size_t)((tab ? tab : end) - symbol->name);
	symbol->module = end;
	symbol->module_length = 0;
	if (tab) {
		if (end - tab < 4 || tab[1] != '[' || end[-1] != ']')
			return false;
		symbol->module = tab + 2;
		symbol->module_length = (size_t)(end - tab) - 3;
	}
	return symbol->name_length > 0;
}

size_t nt_kallsyms_parse(struct nt_kallsyms_parser *parser, const char *text, size_t length, nt_kallsyms_visit *visit, void *context)
{
	const char *at = text, *end = text + length, *newline;
	for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
		struct nt_kallsym symbol;
		if (newline - at > LINE_LIMIT || !read_line(at, newline, &symbol)) {
			parser->bad_count++;
		} else if (!is_function(symbol.type)) {
			continue;
		} else if (!symbol.address) {
			parser->hidden_count++;
		} else {
			parser->symbol_count++;
			visit(context, &symbol);
		}
	}
	if (end - at > LINE_LIMIT) {
		parser->bad_count++;
		return length;
	}
	return (size_t)(at - text);
}

bool nt_kernel_place_parse(const char *text, size_t length, struct nt_kernel_place *out)
{
	const char *end = text + length, *at = memmem(text, length, "+0x", 3);
	if (!at || at == text)
		return false;
	out->name = text;
	out->name_length = (size_t)(at - text);
	at += 3;
	if (!nt_hex_read(&at, end, &out->offset) || end - at < 3 || memcmp(at, "/0x", 3) != 0)
		return false;
	at += 3;
	return nt_hex_read(&at, end, &out->size) && (at == end || *at == ' ');
}
