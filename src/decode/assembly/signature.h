/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signatures (ECMA-335 II.23.2), those of methods in #Blob and those of types in precompiled images (which add two codes), as the text that the runtime's
 * perf map has. So decode/names/method_name.h makes the same display name of both.
 */
#ifndef NT_DECODE_SIGNATURE_H
#define NT_DECODE_SIGNATURE_H

#include "decode/assembly/metadata.h"
#include "decode/common/reader.h"
#include "decode/names/type_text.h"

enum nt_signature_style {
	NT_SIGNATURE_IL,   /* class System.Collections.Generic.Dictionary`2/Enumerator<int32,!0> */
	NT_SIGNATURE_NAME, /* System.Collections.Generic.Dictionary`2+Enumerator[System.Int32,System.__Canon] */
};

/* The metadata of a module by the number that a composite image gives it. */
struct nt_signature_modules {
	const struct nt_metadata *(*of)(void *context, uint32_t number); /* NULL = not to be had */
	void *context;
};

/* Types that a signature in the runtime's memory names by where they are there (ELEMENT_TYPE_INTERNAL). */
struct nt_signature_handles {
	void (*put)(void *context, uint64_t handle, struct nt_text_out *out);
	void *context;
};

struct nt_signature {
	struct nt_reader reader;                    /* bytes that stay while the window is looked through: a copy */
	const struct nt_metadata *scope;            /* what tokens refer to; NULL = not to be had: types become "?" */
	const struct nt_metadata *image;            /* what those in generic arguments refer to */
	const struct nt_signature_modules *modules; /* borrowed; NULL = one module only */
	const struct nt_signature_handles *handles; /* borrowed; NULL = nobody knows them: they become "?" */
	const struct nt_metadata *owner;            /* scope of the first type that was named by a token: where its methods are */
	struct nt_text_out *out;
	unsigned depth; /* internal */
};

/* Put the next type. False: broken, or nested too deep. */
bool nt_signature_put_type(struct nt_signature *signature, enum nt_signature_style style);

/*
 * The beginning of a method's signature: puts "instance " and the return type; *argument_count arguments follow, each a type, of which
 * nt_signature_put_arguments() puts the list without parentheses.
 */
bool nt_signature_put_return(struct nt_signature *signature, uint32_t *argument_count);
bool nt_signature_put_arguments(struct nt_signature *signature, uint32_t argument_count);

/* The word that this text has for a type of the base library: "int32" of System.Int32. NULL = none. */
const char *nt_signature_primitive(struct nt_slice name);

/* Step over a type without looking it up. False: broken. */
bool nt_signature_skip_type(struct nt_reader *reader);

#endif
