/* SPDX-License-Identifier: GPL-2.0-only */
/* Metadata of a Native AOT executable, written record by record. */
#ifndef NT_TESTS_AOT_MADE_H
#define NT_TESTS_AOT_MADE_H

#include "decode/assembly/aot_metadata.h"

#include <stdlib.h>
#include <string.h>

/* HandleType. */
enum aot_kind {
	AOT_ARRAY = 0x01,
	AOT_BYREF = 0x02,
	AOT_FUNCTION_POINTER = 0x25,
	AOT_METHOD_VARIABLE = 0x2c,
	AOT_MODIFIED = 0x2d,
	AOT_NAMESPACE = 0x2f,
	AOT_NAMESPACE_REFERENCE = 0x30,
	AOT_POINTER = 0x32,
	AOT_SZARRAY = 0x37,
	AOT_SCOPE = 0x38,
	AOT_SCOPE_REFERENCE = 0x39,
	AOT_TYPE = 0x3a,
	AOT_INSTANCE = 0x3c,
	AOT_TYPE_REFERENCE = 0x3d,
	AOT_SPECIFICATION = 0x3e,
	AOT_TYPE_VARIABLE = 0x3f,
};

enum { AOT_STATIC = 0, AOT_HAS_THIS = 0x20 };

struct aot_made {
	uint8_t bytes[8192];
	size_t size;
	unsigned major;
};

/* A handle; 0 = none. */
struct aot_handle {
	enum aot_kind kind;
	uint32_t offset;
};

static inline void aot_byte(struct aot_made *made, unsigned byte)
{
	assert_true(made->size < sizeof(made->bytes));
	made->bytes[made->size++] = (uint8_t)byte;
}

/* NativeFormat's integers: the lowest bits say how many bytes. */
static inline void aot_unsigned(struct aot_made *made, uint32_t value)
{
	if (value < 1 << 7) {
		aot_byte(made, value << 1);
	} else if (value < 1 << 14) {
		aot_byte(made, value << 2 | 1);
		aot_byte(made, value >> 6);
	} else if (value < 1 << 21) {
		aot_byte(made, value << 3 | 3);
		aot_byte(made, value >> 5);
		aot_byte(made, value >> 13);
	} else {
		aot_byte(made, 15);
		for (unsigned shift = 0; shift < 32; shift += 8)
			aot_byte(made, value >> shift);
	}
}

static inline uint32_t aot_here(const struct aot_made *made)
{
	return (uint32_t)made->size;
}

static inline unsigned aot_kind_bits(const struct aot_made *made)
{
	return made->major == 16 ? 7 : 8;
}

static inline void aot_handle(struct aot_made *made, struct aot_handle handle)
{
	aot_unsigned(made, handle.offset << aot_kind_bits(made) | handle.kind);
}

/* As outside of records. */
static inline uint32_t aot_token(const struct aot_made *made, struct aot_handle handle)
{
	return (uint32_t)handle.kind << (32 - aot_kind_bits(made)) | handle.offset;
}

static inline uint32_t aot_text(struct aot_made *made, const char *text)
{
	uint32_t at = aot_here(made);
	aot_unsigned(made, (uint32_t)strlen(text));
	while (*text)
		aot_byte(made, (unsigned char)*text++);
	return at;
}

static inline void aot_begin(struct aot_made *made, unsigned major)
{
	*made = (struct aot_made){ .bytes = { 0xfd, 0xdf, 0xad, 0xde }, .size = 4, .major = major };
}

/* A namespace of this name in `parent`: a scope's, then without a name, or another one's. */
static inline struct aot_handle aot_namespace(struct aot_made *made, enum aot_kind kind, struct aot_handle parent, const char *name)
{
	uint32_t text = *name ? aot_text(made, name) : 0;
	struct aot_handle handle = { kind, aot_here(made) };
	aot_handle(made, parent);
	aot_unsigned(made, text);
	return handle;
}

static inline struct aot_handle aot_reference(struct aot_made *made, struct aot_handle parent, const char *name)
{
	uint32_t text = aot_text(made, name);
	struct aot_handle handle = { AOT_TYPE_REFERENCE, aot_here(made) };
	aot_handle(made, parent);
	aot_unsigned(made, text);
	return handle;
}

/* A scope reference of this name, and System in it. */
static inline struct aot_handle aot_assembly(struct aot_made *made, const char *name, const char *namespace)
{
	uint32_t text = aot_text(made, name);
	struct aot_handle scope = { AOT_SCOPE_REFERENCE, aot_here(made) };
	aot_unsigned(made, 0);
	aot_unsigned(made, text);
	struct aot_handle root = aot_namespace(made, AOT_NAMESPACE_REFERENCE, scope, "");
	return *namespace ? aot_namespace(made, AOT_NAMESPACE_REFERENCE, root, namespace) : root;
}

/* A type defined in `namespace`, or nested in `outer`; it has these methods. */
static inline struct aot_handle aot_type(struct aot_made *made, uint32_t namespace, uint32_t outer, const char *name,
					 const uint32_t *methods, unsigned count)
{
	uint32_t text = aot_text(made, name);
	struct aot_handle handle = { AOT_TYPE, aot_here(made) };
	aot_unsigned(made, 0x101);
	aot_unsigned(made, 0);
	aot_unsigned(made, namespace);
	aot_unsigned(made, text);
	aot_unsigned(made, 0);
	aot_unsigned(made, 0);
	aot_unsigned(made, outer);
	aot_unsigned(made, 0);
	aot_unsigned(made, count);
	for (unsigned i = 0; i < count; i++)
		aot_unsigned(made, methods[i]);
	return handle;
}

/* One that is made of other types: SPECIFICATION, SZARRAY, POINTER, BYREF of `of`, INSTANCE of `of` with arguments. */
static inline struct aot_handle aot_made_of(struct aot_made *made, enum aot_kind kind, struct aot_handle of,
					    const struct aot_handle *arguments, unsigned count)
{
	struct aot_handle handle = { kind, aot_here(made) };
	aot_handle(made, of);
	if (kind == AOT_INSTANCE)
		aot_unsigned(made, count);
	for (unsigned i = 0; i < count; i++)
		aot_handle(made, arguments[i]);
	return handle;
}

static inline struct aot_handle aot_variable(struct aot_made *made, enum aot_kind kind, unsigned number)
{
	struct aot_handle handle = { kind, aot_here(made) };
	aot_unsigned(made, number); /* a signed one, which is the same for as few */
	return handle;
}

static inline uint32_t aot_signature(struct aot_made *made, unsigned convention, struct aot_handle returns,
				     const struct aot_handle *arguments, unsigned count)
{
	uint32_t at = aot_here(made);
	aot_unsigned(made, convention);
	aot_unsigned(made, 0);
	aot_handle(made, returns);
	aot_unsigned(made, count);
	for (unsigned i = 0; i < count; i++)
		aot_handle(made, arguments[i]);
	aot_unsigned(made, 0); /* variable ones */
	return at;
}

static inline struct nt_aot_metadata aot_open(const struct aot_made *made)
{
	struct nt_aot_metadata metadata;
	assert_true(nt_aot_metadata_read(made->bytes, made->size, made->major, &metadata));
	return metadata;
}

#endif
