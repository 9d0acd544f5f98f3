// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/metadata_names.h"

enum {
	NESTING_MAX = 16,
	SCOPE_BITS = 2, /* of ResolutionScope (II.24.2.6) */
	SCOPE_TYPE_REF = 3,
};

/* The type around it: a row of the same table; 0 = it is not nested. */
static uint32_t outer_of(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid)
{
	uint32_t columns[NT_COLUMNS_MAX];
	if (table == NT_TABLE_TYPE_REF) {
		if (!nt_metadata_row(md, table, rid, columns))
			return 0;
		uint32_t scope = columns[NT_TYPE_REF_SCOPE];
		return (scope & ((1 << SCOPE_BITS) - 1)) == SCOPE_TYPE_REF ? scope >> SCOPE_BITS : 0;
	}
	uint32_t row = nt_metadata_last_up_to(md, NT_TABLE_NESTED_CLASS, NT_NESTED_INNER, rid);
	if (!row || !nt_metadata_row(md, NT_TABLE_NESTED_CLASS, row, columns) || columns[NT_NESTED_INNER] != rid)
		return 0;
	return columns[NT_NESTED_OUTER];
}

static void put_string(const struct nt_metadata *md, uint32_t index, struct nt_text_out *out)
{
	char text[NT_METADATA_NAME_BYTES];
	size_t length = nt_metadata_string(md, index, text, sizeof(text));
	nt_text_put(out, text, length);
}

static void put_outermost(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, struct nt_text_out *out)
{
	uint32_t columns[NT_COLUMNS_MAX];
	if (!nt_metadata_row(md, table, rid, columns)) {
		nt_text_put(out, "?", 1);
		return;
	}
	bool def = table == NT_TABLE_TYPE_DEF;
	size_t before = out->length;
	put_string(md, columns[def ? NT_TYPE_DEF_NAMESPACE : NT_TYPE_REF_NAMESPACE], out);
	if (out->length != before)
		nt_text_put(out, ".", 1);
	put_string(md, columns[def ? NT_TYPE_DEF_NAME : NT_TYPE_REF_NAME], out);
}

void nt_metadata_put_type(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, char nested, struct nt_text_out *out)
{
	uint32_t chain[NESTING_MAX], name;
	unsigned count = 0;
	for (; rid && count < NESTING_MAX; rid = outer_of(md, table, rid))
		chain[count++] = rid;
	if (!count) {
		nt_text_put(out, "?", 1);
		return;
	}
	put_outermost(md, table, chain[--count], out);
	while (count--) {
		nt_text_put(out, &nested, 1);
		if (nt_metadata_cell(md, table, chain[count], table == NT_TABLE_TYPE_DEF ? NT_TYPE_DEF_NAME : NT_TYPE_REF_NAME, &name))
			put_string(md, name, out);
	}
}

uint32_t nt_metadata_type_of_method(const struct nt_metadata *md, uint32_t method_rid)
{
	return nt_metadata_last_up_to(md, NT_TABLE_TYPE_DEF, NT_TYPE_DEF_METHODS, method_rid);
}

size_t nt_metadata_assembly(const struct nt_metadata *md, char *buf, size_t size)
{
	uint32_t name;
	if (!nt_metadata_cell(md, NT_TABLE_ASSEMBLY, 1, NT_ASSEMBLY_NAME, &name)) {
		buf[0] = '\0';
		return 0;
	}
	return nt_metadata_string(md, name, buf, size);
}
