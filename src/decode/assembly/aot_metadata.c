// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/aot_metadata.h"

#include "decode/assembly/native_format.h"
#include "decode/assembly/signature.h"

#include <stdio.h>
#include <string.h>

/* A name takes some dozen records, of a hundred arguments a thousand. A type can be its own argument, twice, so depth alone is no bound. */
enum { RECORDS_MAX = 1024, DEPTH_MAX = 32, LIST_MAX = 256, ASSEMBLY_BYTES = 1024 };

enum { MAGIC = 0xDEADDFFD };

/* HandleType. */
enum kind {
	ARRAY = 0x01,
	BYREF = 0x02,
	FUNCTION_POINTER = 0x25,
	METHOD_VARIABLE = 0x2c,
	MODIFIED = 0x2d,
	NAMESPACE = 0x2f,
	NAMESPACE_REFERENCE = 0x30,
	POINTER = 0x32,
	SZARRAY = 0x37,
	SCOPE = 0x38,
	SCOPE_REFERENCE = 0x39,
	TYPE = NT_AOT_TYPE_DEFINITION,
	INSTANCE = 0x3c,
	TYPE_REFERENCE = 0x3d,
	SPECIFICATION = 0x3e,
	TYPE_VARIABLE = 0x3f,
};

struct handle {
	unsigned kind;
	uint32_t offset;
};

/* A name that is being made. */
struct naming {
	const struct nt_aot_metadata *metadata;
	struct nt_text_out *out;
	struct nt_text_out *assembly; /* of the first type that has one; NULL = not wanted */
	unsigned records, depth;
	char nested; /* between a type and one that is nested in it */
};

bool nt_aot_metadata_read(const void *bytes, size_t size, unsigned major, struct nt_aot_metadata *out)
{
	enum { NET_8 = 9, NET_9 = 10, NET_10 = 16 };
	struct nt_reader reader = nt_reader_of(bytes, size);
	*out = (struct nt_aot_metadata){ .bytes = bytes, .size = size, .kind_bits = major == NET_10 ? 7 : 8 };
	return nt_reader_u32(&reader) == MAGIC && (major == NET_8 || major == NET_9 || major == NET_10);
}

/* ---- records ---- */

/* The record at `offset`; 0 is none: the magic number lies there. Bad when enough were looked at. */
static struct nt_reader record(struct naming *naming, uint32_t offset)
{
	const struct nt_aot_metadata *md = naming->metadata;
	if (!offset || offset >= md->size || ++naming->records > RECORDS_MAX)
		return (struct nt_reader){ .bad = true };
	return nt_reader_of(md->bytes + offset, md->size - offset);
}

static struct handle handle_of(const struct naming *naming, uint32_t raw, bool in_record)
{
	unsigned bits = naming->metadata->kind_bits;
	if (in_record)
		return (struct handle){ raw & ((1u << bits) - 1), raw >> bits };
	return (struct handle){ raw >> (32 - bits), raw & (UINT32_MAX >> bits) }; /* outside of records the kind is in the highest bits */
}

static struct handle read_handle(const struct naming *naming, struct nt_reader *reader)
{
	return handle_of(naming, nt_native_unsigned(reader), true);
}

static bool put_text(struct naming *naming, uint32_t offset, struct nt_text_out *out)
{
	struct nt_reader reader = record(naming, offset);
	uint32_t length = nt_native_unsigned(&reader);
	const uint8_t *text = nt_reader_bytes(&reader, length);
	if (!text || memchr(text, '\0', length) || length >= NT_RAW_NAME_MAX)
		return false;
	nt_text_put(out, (const char *)text, length);
	return true;
}

static void put(struct naming *naming, const char *text)
{
	nt_text_put_word(naming->out, text);
}

/* ---- types ---- */

/* ScopeDefinition, ScopeReference: flags, name. */
static bool put_assembly(struct naming *naming, uint32_t offset)
{
	if (!naming->assembly || naming->assembly->length)
		return true;
	struct nt_reader reader = record(naming, offset);
	nt_native_unsigned(&reader);
	uint32_t name = nt_native_unsigned(&reader);
	return !reader.bad && put_text(naming, name, naming->assembly);
}

/* `System.Threading.`: NamespaceDefinition, NamespaceReference: what it is in, name; the outermost is in an assembly and has none. */
static bool put_namespace(struct naming *naming, struct handle at)
{
	if (at.kind == SCOPE || at.kind == SCOPE_REFERENCE)
		return put_assembly(naming, at.offset);
	if ((at.kind != NAMESPACE && at.kind != NAMESPACE_REFERENCE) || naming->depth == DEPTH_MAX)
		return false;
	struct nt_reader reader = record(naming, at.offset);
	struct handle parent = read_handle(naming, &reader);
	uint32_t name = nt_native_unsigned(&reader);
	naming->depth++;
	bool ok = !reader.bad && put_namespace(naming, parent);
	naming->depth--;
	size_t before = naming->out->length;
	if (ok && name && !put_text(naming, name, naming->out))
		return false;
	if (naming->out->length != before)
		put(naming, ".");
	return ok;
}

static bool put_type(struct naming *naming, struct handle at);

/* Put the type or namespace that a type is in, and what separates both. A type parameter, where it has a name, is a type in nothing. */
static bool put_owner(struct naming *naming, struct handle owner)
{
	const char nested[] = { naming->nested, '\0' };
	if (!owner.kind && !owner.offset)
		return true;
	if (owner.kind != TYPE && owner.kind != TYPE_REFERENCE)
		return put_namespace(naming, owner);
	bool ok = put_type(naming, owner);
	put(naming, nested);
	return ok;
}

/* TypeDefinition: flags, base type, namespace, name, size, packing, the type that it is nested in. */
static bool put_definition(struct naming *naming, uint32_t offset)
{
	struct nt_reader reader = record(naming, offset);
	nt_native_unsigned(&reader);
	nt_native_unsigned(&reader);
	struct handle owner = { .kind = NAMESPACE, .offset = nt_native_unsigned(&reader) };
	uint32_t name = nt_native_unsigned(&reader);
	nt_native_unsigned(&reader);
	nt_native_unsigned(&reader);
	uint32_t outer = nt_native_unsigned(&reader);
	if (outer)
		owner = (struct handle){ .kind = TYPE, .offset = outer };
	return !reader.bad && put_owner(naming, owner) && put_text(naming, name, naming->out);
}

/* TypeReference: the type or namespace that it is in, name. */
static bool put_reference(struct naming *naming, uint32_t offset)
{
	struct nt_reader reader = record(naming, offset);
	struct handle owner = read_handle(naming, &reader);
	uint32_t name = nt_native_unsigned(&reader);
	return !reader.bad && put_owner(naming, owner) && put_text(naming, name, naming->out);
}

/* A type by its name; those that the perf map has a word for by that. */
static bool put_named(struct naming *naming, struct handle at)
{
	size_t start = naming->out->length;
	bool ok = at.kind == TYPE ? put_definition(naming, at.offset) : put_reference(naming, at.offset);
	const struct nt_slice name = { naming->out->buf + start, naming->out->length - start };
	const char *word = ok && naming->nested == '/' ? nt_signature_primitive(name) : NULL;
	if (word) {
		naming->out->length = start;
		put(naming, word);
	}
	return ok;
}

/* The types of a list, separated by commas. */
static bool put_types(struct naming *naming, struct nt_reader *reader)
{
	uint32_t count = nt_native_unsigned(reader);
	if (count > LIST_MAX)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct handle type = read_handle(naming, reader);
		if (i)
			put(naming, ",");
		if (reader->bad || !put_type(naming, type))
			return false;
	}
	return !reader->bad;
}

/* TypeInstantiationSignature: the generic type, its arguments; in brackets where it is the type of a method. */
static bool put_instance(struct naming *naming, struct nt_reader *reader)
{
	if (!put_type(naming, read_handle(naming, reader)))
		return false;
	put(naming, naming->nested == '+' ? "[" : "<");
	bool ok = put_types(naming, reader);
	put(naming, naming->nested == '+' ? "]" : ">");
	return ok;
}

/* ArraySignature: type, rank, then sizes and lower bounds, which are not shown. */
static bool put_array(struct naming *naming, struct nt_reader *reader)
{
	if (!put_type(naming, read_handle(naming, reader)))
		return false;
	int32_t rank = nt_native_signed(reader);
	put(naming, "[");
	for (int32_t i = 1; i < rank && i < DEPTH_MAX; i++)
		put(naming, ",");
	put(naming, "]");
	return rank > 0 && rank <= DEPTH_MAX;
}

/* ModifiedType: is it optional, modifier, type. No name of ours has modifiers. */
static bool put_modified(struct naming *naming, struct nt_reader *reader)
{
	nt_reader_u8(reader);
	nt_native_unsigned(reader);
	return put_type(naming, read_handle(naming, reader));
}

static bool put_variable(struct naming *naming, struct nt_reader *reader, const char *prefix)
{
	char text[16];
	snprintf(text, sizeof(text), "%s%d", prefix, nt_native_signed(reader));
	put(naming, text);
	return true;
}

static bool put_suffixed(struct naming *naming, struct nt_reader *reader, const char *suffix)
{
	bool ok = put_type(naming, read_handle(naming, reader));
	put(naming, suffix);
	return ok;
}

/* MethodSignature: calling convention, number of generic parameters, return type, arguments. */
static bool put_return(struct naming *naming, struct nt_reader *reader, bool of_method)
{
	enum { HAS_THIS = 0x20 };
	unsigned convention = nt_native_unsigned(reader);
	nt_native_signed(reader);
	if (convention & HAS_THIS && of_method)
		put(naming, "instance ");
	return put_type(naming, read_handle(naming, reader));
}

/* `method RET *(ARGS)`: FunctionPointerSignature: a method's signature. */
static bool put_function_pointer(struct naming *naming, struct nt_reader *reader)
{
	struct nt_reader signature = record(naming, nt_native_unsigned(reader));
	put(naming, "method ");
	if (!put_return(naming, &signature, false))
		return false;
	put(naming, " *(");
	bool ok = put_types(naming, &signature);
	put(naming, ")");
	return ok;
}

static bool put_signature(struct naming *naming, struct handle at)
{
	struct nt_reader reader = record(naming, at.offset);
	if (reader.bad)
		return false;
	switch (at.kind) {
	case SPECIFICATION:
		return put_suffixed(naming, &reader, "");
	case INSTANCE:
		return put_instance(naming, &reader);
	case SZARRAY:
		return put_suffixed(naming, &reader, "[]");
	case POINTER:
		return put_suffixed(naming, &reader, "*");
	case BYREF:
		return put_suffixed(naming, &reader, "&");
	case ARRAY:
		return put_array(naming, &reader);
	case MODIFIED:
		return put_modified(naming, &reader);
	case TYPE_VARIABLE:
		return put_variable(naming, &reader, "!");
	case METHOD_VARIABLE:
		return put_variable(naming, &reader, "!!");
	case FUNCTION_POINTER:
		return put_function_pointer(naming, &reader);
	default:
		return false;
	}
}

static bool put_type(struct naming *naming, struct handle at)
{
	if (naming->depth == DEPTH_MAX)
		return false;
	naming->depth++;
	bool ok = at.kind == TYPE || at.kind == TYPE_REFERENCE ? put_named(naming, at) : put_signature(naming, at);
	naming->depth--;
	return ok;
}

/* ---- methods ---- */

/* How many type parameters a type has with those around it: Outer`1+Inner`2. */
static unsigned count_parameters(const struct nt_text_out *type)
{
	unsigned count = 0;
	for (size_t i = 0; i + 1 < type->length; i++)
		if (type->buf[i] == '`' && type->buf[i + 1] >= '1' && type->buf[i + 1] <= '9')
			count += (unsigned)(type->buf[i + 1] - '0');
	return count;
}

/*
 * All instances of a generic type have one name here, which is not told what their parameters are, and of most types not what those are
 * called: [T], [TA,TB]. Without them a parameter of the type would be shown as if it was one of the method.
 */
static void put_parameters(struct nt_text_out *type)
{
	unsigned count = type->length && type->buf[type->length - 1] == ']' ? 0 : count_parameters(type);
	for (unsigned i = 0; i < count && count <= NT_TYPE_ARGS_MAX; i++) {
		const char letter[] = { (char)('A' + i), '\0' };
		nt_text_put_word(type, i ? ",T" : "[T");
		if (count > 1)
			nt_text_put_word(type, letter);
		if (i + 1 == count)
			nt_text_put_word(type, "]");
	}
}

bool nt_aot_method_put(const struct nt_aot_metadata *metadata, const struct nt_aot_method *method, struct nt_text_out *out)
{
	char type_text[NT_RAW_NAME_MAX], assembly_text[ASSEMBLY_BYTES];
	struct nt_text_out type = { .buf = type_text, .size = sizeof(type_text) };
	struct nt_text_out assembly = { .buf = assembly_text, .size = sizeof(assembly_text) };
	struct naming naming = { .metadata = metadata, .out = &type, .assembly = &assembly, .nested = '+' };
	if (!put_type(&naming, handle_of(&naming, method->type, false)) || !assembly.length)
		return false;
	put_parameters(&type);
	if (type.full || assembly.full)
		return false; /* what is cut is another name */
	naming.out = out;
	naming.assembly = NULL;
	naming.nested = '/';
	struct nt_reader signature = record(&naming, method->signature);
	if (!put_return(&naming, &signature, true))
		return false;
	put(&naming, " [");
	nt_text_put(out, assembly.buf, assembly.length);
	put(&naming, "] ");
	nt_text_put(out, type.buf, type.length);
	put(&naming, "::");
	if (!put_text(&naming, method->name, out))
		return false;
	put(&naming, "(");
	if (!put_types(&naming, &signature))
		return false;
	put(&naming, ")");
	return !out->full;
}
