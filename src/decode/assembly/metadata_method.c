// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/metadata_method.h"

#include "decode/assembly/signature.h"

#include <string.h>

enum {
	PART_BYTES = 1024, /* of one name, and of a method's signature */
	RAW_BYTES = 4096,  /* of a whole one */
};

/* What an assembly may make us look at for one question: it says how many types it has, of which names, and each of 16 million methods could be one of the same name. */
enum {
	TYPES_MAX = 1 << 18,      /* generated clients of services have some 30 000 */
	NAMESAKES_MAX = 16 << 10, /* nested types of one name, in any type: `<>c` is in every second one */
	METHODS_MAX = 1 << 16,    /* of a type: the runtime's own limit */
	OVERLOADS_MAX = 1024,
};

/* ---- from the row to the name ---- */

static void put_assembly(const struct nt_metadata *md, struct nt_text_out *out)
{
	char text[PART_BYTES];
	nt_metadata_assembly(md, text, sizeof(text));
	nt_text_put_word(out, " [");
	nt_text_put_word(out, text);
	nt_text_put_word(out, "] ");
}

static void put_type(const struct nt_metadata *md, uint32_t rid, const struct nt_text_out *type, struct nt_text_out *out)
{
	if (type->length)
		nt_text_put(out, type->buf, type->length);
	else
		nt_metadata_put_type(md, NT_TABLE_TYPE_DEF, nt_metadata_type_of_method(md, rid), '+', out);
}

bool nt_metadata_put_method(const struct nt_metadata *md, uint32_t rid, const struct nt_text_out *type, struct nt_text_out *out)
{
	return nt_metadata_put_instance(md, rid, type, (struct nt_slice){ "", 0 }, out);
}

bool nt_metadata_put_instance(const struct nt_metadata *md, uint32_t rid, const struct nt_text_out *type, struct nt_slice arguments,
			      struct nt_text_out *out)
{
	uint8_t bytes[PART_BYTES];
	char text[PART_BYTES];
	uint32_t columns[NT_COLUMNS_MAX], argument_count = 0;
	size_t length = 0, start = out->length;
	if (!nt_metadata_row(md, NT_TABLE_METHOD_DEF, rid, columns))
		return false;
	bool known = nt_metadata_blob(md, columns[NT_METHOD_DEF_SIGNATURE], bytes, sizeof(bytes), &length);
	struct nt_signature signature = { .reader = nt_reader_of(bytes, known ? length : 0), .scope = md, .image = md, .out = out };
	known = known && nt_signature_put_return(&signature, &argument_count);
	if (!known) {
		out->length = start;
		nt_text_put_word(out, "?");
	}
	put_assembly(md, out);
	put_type(md, rid, type, out);
	nt_text_put_word(out, "::");
	nt_metadata_string(md, columns[NT_METHOD_DEF_NAME], text, sizeof(text));
	nt_text_put_word(out, text);
	nt_text_put(out, arguments.text, arguments.length);
	nt_text_put_word(out, "(");
	start = out->length;
	if (!known || !nt_signature_put_arguments(&signature, argument_count)) {
		out->length = start;
		nt_text_put_word(out, "?");
	}
	nt_text_put_word(out, ")");
	return true;
}

/* ---- from the name to the row ---- */

/* Without the arguments of an instance: List`1[System.Int32], Cast[System.String]. */
static struct nt_slice open_form(struct nt_slice name)
{
	const char *bracket = memchr(name.text, '[', name.length);
	return (struct nt_slice){ name.text, bracket ? (size_t)(bracket - name.text) : name.length };
}

static bool is(struct nt_slice name, const char *text, size_t length)
{
	return length == name.length && memcmp(text, name.text, length) == 0;
}

/* Whether `name` ends in the type's own name: told by a look at one string. */
static bool may_be(const struct nt_metadata *md, uint32_t rid, struct nt_slice name)
{
	char text[PART_BYTES];
	uint32_t own;
	if (!nt_metadata_cell(md, NT_TABLE_TYPE_DEF, rid, NT_TYPE_DEF_NAME, &own))
		return false;
	size_t length = nt_metadata_string(md, own, text, NT_METADATA_NAME_BYTES);
	return length <= name.length && memcmp(name.text + name.length - length, text, length) == 0;
}

/* The row of TypeDef; 0 = none among those that are looked at. */
static uint32_t find_type(const struct nt_metadata *md, struct nt_slice name)
{
	char text[PART_BYTES];
	uint32_t count = md->tables[NT_TABLE_TYPE_DEF].count, namesakes = 0;
	for (uint32_t rid = 1; rid <= count && rid <= TYPES_MAX && namesakes < NAMESAKES_MAX; rid++) {
		if (!may_be(md, rid, name))
			continue;
		struct nt_text_out out = { .buf = text, .size = sizeof(text) };
		nt_metadata_put_type(md, NT_TABLE_TYPE_DEF, rid, '+', &out);
		if (is(name, text, out.length))
			return rid;
		namesakes++;
	}
	return 0;
}

/* The display name, which is the same whichever way a name came: it tells overloads apart. */
static void display_open(const struct nt_method_parts *parts, struct nt_perfmap_name *out)
{
	char text[RAW_BYTES];
	struct nt_text_out raw = { .buf = text, .size = sizeof(text) };
	nt_text_put(&raw, parts->returns.text, parts->returns.length);
	nt_text_put_word(&raw, " [");
	nt_text_put(&raw, parts->module.text, parts->module.length);
	nt_text_put_word(&raw, "] ");
	nt_text_put(&raw, parts->type.text, parts->type.length);
	nt_text_put_word(&raw, "::");
	nt_text_put(&raw, parts->name.text, parts->name.length);
	nt_text_put(&raw, parts->args.text, parts->args.length);
	nt_method_name_from_perfmap((struct nt_slice){ text, raw.length }, out);
}

static bool has_signature(const struct nt_metadata *md, uint32_t rid, const struct nt_perfmap_name *wanted)
{
	static const struct nt_text_out own_type = { 0 };
	char text[RAW_BYTES];
	struct nt_text_out raw = { .buf = text, .size = sizeof(text) };
	struct nt_perfmap_name name;
	if (!nt_metadata_put_method(md, rid, &own_type, &raw))
		return false;
	nt_method_name_from_perfmap((struct nt_slice){ text, raw.length }, &name);
	return is((struct nt_slice){ wanted->display, wanted->display_length }, name.display, name.display_length);
}

static bool has_name(const struct nt_metadata *md, uint32_t rid, struct nt_slice wanted)
{
	char text[PART_BYTES];
	uint32_t name;
	return nt_metadata_cell(md, NT_TABLE_METHOD_DEF, rid, NT_METHOD_DEF_NAME, &name) &&
	       is(wanted, text, nt_metadata_string(md, name, text, sizeof(text)));
}

/* Methods of a type: rows [*from, *to). */
static void methods_of(const struct nt_metadata *md, uint32_t type, uint32_t *from, uint32_t *to)
{
	uint32_t behind = md->tables[NT_TABLE_METHOD_DEF].count + 1;
	if (!nt_metadata_cell(md, NT_TABLE_TYPE_DEF, type, NT_TYPE_DEF_METHODS, from) || !*from)
		*from = behind;
	if (!nt_metadata_cell(md, NT_TABLE_TYPE_DEF, type + 1, NT_TYPE_DEF_METHODS, to) || *to > behind)
		*to = behind;
	if (*to > *from && *to - *from > METHODS_MAX)
		*to = *from + METHODS_MAX;
}

uint32_t nt_metadata_find_method(const struct nt_metadata *md, struct nt_slice raw)
{
	struct nt_method_parts parts;
	struct nt_perfmap_name wanted;
	uint32_t from, to, named = 0, named_count = 0, exact = 0, exact_count = 0;
	if (!nt_method_parts_of(raw, &parts))
		return 0;
	parts.type = open_form(parts.type);
	parts.name = open_form(parts.name);
	uint32_t type = find_type(md, parts.type);
	if (!type)
		return 0;
	methods_of(md, type, &from, &to);
	display_open(&parts, &wanted);
	for (uint32_t rid = from; rid < to; rid++) {
		if (!has_name(md, rid, parts.name))
			continue;
		named = rid;
		if (++named_count > OVERLOADS_MAX)
			return 0;
		if (has_signature(md, rid, &wanted)) {
			exact = rid;
			exact_count++;
		}
	}
	if (named_count == 1)
		return named;
	return exact_count == 1 ? exact : 0;
}
