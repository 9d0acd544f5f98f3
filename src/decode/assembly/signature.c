// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/signature.h"

#include "decode/assembly/metadata_names.h"

#include <stdio.h>

enum { DEPTH_MAX = 32, LIST_MAX = 1024 };

/* Element types (II.23.1.16), and those that only precompiled images have (CoreCLR, ReadyToRun format). */
enum {
	PTR = 0x0f,
	BYREF = 0x10,
	VALUETYPE = 0x11,
	CLASS = 0x12,
	VAR = 0x13,
	ARRAY = 0x14,
	GENERICINST = 0x15,
	FNPTR = 0x1b,
	SZARRAY = 0x1d,
	MVAR = 0x1e,
	INTERNAL = 0x21, /* of the runtime's memory alone */
	CMOD_REQD = 0x1f,
	CMOD_OPT = 0x20,
	CANON = 0x3e,
	MODULE = 0x3f,
	SENTINEL = 0x41,
	PINNED = 0x45,
	PRIMITIVE_END = 0x1d,
};

static const struct primitive {
	const char *il, *name;
} primitives[PRIMITIVE_END] = {
	[0x01] = { "void", "System.Void" },
	[0x02] = { "bool", "System.Boolean" },
	[0x03] = { "char", "System.Char" },
	[0x04] = { "int8", "System.SByte" },
	[0x05] = { "uint8", "System.Byte" },
	[0x06] = { "int16", "System.Int16" },
	[0x07] = { "uint16", "System.UInt16" },
	[0x08] = { "int32", "System.Int32" },
	[0x09] = { "uint32", "System.UInt32" },
	[0x0a] = { "int64", "System.Int64" },
	[0x0b] = { "uint64", "System.UInt64" },
	[0x0c] = { "float32", "System.Single" },
	[0x0d] = { "float64", "System.Double" },
	[0x0e] = { "string", "System.String" },
	[0x16] = { "typedref", "System.TypedReference" },
	[0x18] = { "native int", "System.IntPtr" },
	[0x19] = { "native uint", "System.UIntPtr" },
	[0x1c] = { "object", "System.Object" },
};

static void put(struct nt_signature *signature, const char *text)
{
	nt_text_put(signature->out, text, strlen(text));
}

static uint32_t number(struct nt_signature *signature)
{
	return nt_metadata_compressed(&signature->reader);
}

/* TypeDefOrRefOrSpecEncoded (II.23.2.8). */
static void put_token(struct nt_signature *signature, enum nt_signature_style style)
{
	enum { TYPE_DEF, TYPE_REF };
	uint32_t token = number(signature);
	if (!signature->owner)
		signature->owner = signature->scope;
	char nested = style == NT_SIGNATURE_IL ? '/' : '+';
	if (!signature->scope || (token & 3) > TYPE_REF)
		put(signature, "?");
	else
		nt_metadata_put_type(signature->scope, (token & 3) == TYPE_DEF ? NT_TABLE_TYPE_DEF : NT_TABLE_TYPE_REF, token >> 2, nested,
				     signature->out);
}

/* Of a composite image: the next type's tokens are those of another module. */
static bool put_type_of_module(struct nt_signature *signature, enum nt_signature_style style)
{
	const struct nt_metadata *outer = signature->scope;
	uint32_t module = number(signature);
	signature->scope = signature->modules ? signature->modules->of(signature->modules->context, module) : NULL;
	bool ok = nt_signature_put_type(signature, style);
	signature->scope = outer;
	return ok;
}

/* The arguments are said from the image's point of view again, not from that of the module which the generic type is in. */
static bool put_instance(struct nt_signature *signature, enum nt_signature_style style)
{
	if (!nt_signature_put_type(signature, style))
		return false;
	const struct nt_metadata *scope = signature->scope;
	uint32_t count = number(signature);
	if (count > LIST_MAX)
		return false;
	signature->scope = signature->image;
	put(signature, style == NT_SIGNATURE_IL ? "<" : "[");
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			put(signature, ",");
		if (!nt_signature_put_type(signature, style))
			return false;
	}
	put(signature, style == NT_SIGNATURE_IL ? ">" : "]");
	signature->scope = scope;
	return true;
}

/* ArrayShape (II.23.2.13); only the rank is shown. */
static bool put_shape(struct nt_signature *signature)
{
	uint32_t rank = number(signature);
	if (rank > DEPTH_MAX)
		return false;
	for (unsigned list = 0; list < 2; list++) { /* sizes, lower bounds */
		uint32_t count = number(signature);
		if (count > rank)
			return false;
		while (count--)
			number(signature);
	}
	put(signature, "[");
	for (uint32_t i = 1; i < rank; i++)
		put(signature, ",");
	put(signature, "]");
	return true;
}

/* `method RET *(ARGS)`, without the calling convention. */
static bool put_function_pointer(struct nt_signature *signature)
{
	uint32_t count;
	put(signature, "method ");
	if (!nt_signature_put_return(signature, &count))
		return false;
	put(signature, " *(");
	if (!nt_signature_put_arguments(signature, count))
		return false;
	put(signature, ")");
	return true;
}

static bool put_handle(struct nt_signature *signature)
{
	uint64_t handle = nt_reader_u64(&signature->reader);
	if (signature->handles)
		signature->handles->put(signature->handles->context, handle, signature->out);
	else
		put(signature, "?");
	return true;
}

static bool put_suffixed(struct nt_signature *signature, enum nt_signature_style style, const char *suffix)
{
	bool ok = nt_signature_put_type(signature, style);
	put(signature, suffix);
	return ok;
}

static bool put_variable(struct nt_signature *signature, const char *prefix)
{
	char text[16];
	snprintf(text, sizeof(text), "%s%u", prefix, number(signature));
	put(signature, text);
	return true;
}

static bool put_compound(struct nt_signature *signature, enum nt_signature_style style, unsigned element)
{
	switch (element) {
	case PTR:
		return put_suffixed(signature, style, "*");
	case BYREF:
		return put_suffixed(signature, style, "&");
	case SZARRAY:
		return put_suffixed(signature, style, "[]");
	case ARRAY:
		return nt_signature_put_type(signature, style) && put_shape(signature);
	case CLASS:
	case VALUETYPE:
		if (style == NT_SIGNATURE_IL)
			put(signature, element == CLASS ? "class " : "valuetype ");
		put_token(signature, style);
		return true;
	case VAR:
		return put_variable(signature, "!");
	case MVAR:
		return put_variable(signature, "!!");
	case GENERICINST:
		return put_instance(signature, style);
	case FNPTR:
		return put_function_pointer(signature);
	case INTERNAL:
		return put_handle(signature);
	case CANON:
		put(signature, style == NT_SIGNATURE_IL ? "class System.__Canon" : "System.__Canon");
		return true;
	case MODULE:
		return put_type_of_module(signature, style);
	default:
		return false;
	}
}

static bool is_primitive(unsigned element)
{
	return element < PRIMITIVE_END && primitives[element].il;
}

/* Modifiers are not shown: no name of ours has them. */
static unsigned element_of(struct nt_reader *reader)
{
	for (;;) {
		unsigned element = nt_reader_u8(reader);
		if (element == CMOD_REQD || element == CMOD_OPT)
			nt_metadata_compressed(reader);
		else if (element != PINNED && element != SENTINEL)
			return element;
	}
}

bool nt_signature_put_type(struct nt_signature *signature, enum nt_signature_style style)
{
	if (signature->depth == DEPTH_MAX)
		return false;
	signature->depth++;
	unsigned element = element_of(&signature->reader);
	bool ok = true;
	if (is_primitive(element))
		put(signature, style == NT_SIGNATURE_IL ? primitives[element].il : primitives[element].name);
	else
		ok = put_compound(signature, style, element);
	signature->depth--;
	return ok && !signature->reader.bad;
}

const char *nt_signature_primitive(struct nt_slice name)
{
	for (size_t i = 0; i < PRIMITIVE_END; i++)
		if (primitives[i].name && strlen(primitives[i].name) == name.length &&
		    memcmp(primitives[i].name, name.text, name.length) == 0)
			return primitives[i].il;
	return NULL;
}

/* What a method's signature begins with (II.23.2.1). */
enum { HAS_THIS = 0x20, EXPLICIT_THIS = 0x40, GENERIC = 0x10 };

bool nt_signature_put_return(struct nt_signature *signature, uint32_t *argument_count)
{
	unsigned convention = nt_reader_u8(&signature->reader);
	if (convention & GENERIC)
		number(signature);
	*argument_count = number(signature);
	if (convention & HAS_THIS)
		put(signature, convention & EXPLICIT_THIS ? "explicit instance " : "instance ");
	return *argument_count <= LIST_MAX && nt_signature_put_type(signature, NT_SIGNATURE_IL);
}

bool nt_signature_put_arguments(struct nt_signature *signature, uint32_t argument_count)
{
	for (uint32_t i = 0; i < argument_count; i++) {
		if (i)
			put(signature, ",");
		if (!nt_signature_put_type(signature, NT_SIGNATURE_IL))
			return false;
	}
	return true;
}

/* ---- stepping over ---- */

static bool skip(struct nt_reader *reader, unsigned depth);

static bool skip_some(struct nt_reader *reader, uint32_t count, unsigned depth)
{
	if (count > LIST_MAX)
		return false;
	while (count--)
		if (!skip(reader, depth))
			return false;
	return true;
}

static bool skip_shape(struct nt_reader *reader)
{
	nt_metadata_compressed(reader);
	for (unsigned list = 0; list < 2; list++) {
		uint32_t count = nt_metadata_compressed(reader);
		if (count > DEPTH_MAX)
			return false;
		while (count--)
			nt_metadata_compressed(reader);
	}
	return true;
}

static bool skip_function_pointer(struct nt_reader *reader, unsigned depth)
{
	if (nt_reader_u8(reader) & GENERIC)
		nt_metadata_compressed(reader);
	uint32_t count = nt_metadata_compressed(reader);
	return skip(reader, depth) && skip_some(reader, count, depth);
}

static bool skip(struct nt_reader *reader, unsigned depth)
{
	if (depth == DEPTH_MAX || reader->bad)
		return false;
	depth++;
	unsigned element = element_of(reader);
	switch (element) {
	case PTR:
	case BYREF:
	case SZARRAY:
		return skip(reader, depth);
	case ARRAY:
		return skip(reader, depth) && skip_shape(reader);
	case CLASS:
	case VALUETYPE:
	case VAR:
	case MVAR:
		nt_metadata_compressed(reader);
		return !reader->bad;
	case GENERICINST:
		return skip(reader, depth) && skip_some(reader, nt_metadata_compressed(reader), depth);
	case FNPTR:
		return skip_function_pointer(reader, depth);
	case MODULE:
		nt_metadata_compressed(reader);
		return skip(reader, depth);
	default:
		return !reader->bad && (element == CANON || is_primitive(element));
	}
}

/*
 * A type of the usual sort, of elements that take one byte each and of tokens: where it ends; NULL = it is another one, or not all of it is here. An image has some thirty thousand, and
 * nearly all are of this sort.
 */
static const uint8_t *skip_usual(const uint8_t *at, const uint8_t *end)
{
	unsigned elements = 0, left = 1; /* types that are still to come */
	for (; left; left--) {
		uint8_t element;
		do {
			if (at == end || ++elements > DEPTH_MAX)
				return NULL;
			element = *at++;
		} while (element == SZARRAY || element == BYREF || element == PTR);
		bool instance = element == GENERICINST && at < end;
		if (instance)
			element = *at++;
		if (element == CLASS || element == VALUETYPE || (!instance && (element == VAR || element == MVAR))) {
			size_t bytes = at == end ? 1 : *at < 0x80 ? 1 : *at < 0xc0 ? 2 : 4;
			if ((size_t)(end - at) < bytes)
				return NULL;
			at += bytes;
		} else if (instance || !(element == CANON || is_primitive(element))) {
			return NULL;
		}
		if (!instance)
			continue;
		if (at == end || *at > DEPTH_MAX)
			return NULL;
		left += *at++;
	}
	return at;
}

bool nt_signature_skip_type(struct nt_reader *reader)
{
	const uint8_t *behind = reader->bad ? NULL : skip_usual(reader->at, reader->end);
	if (!behind)
		return skip(reader, 0);
	reader->at = behind;
	return true;
}
