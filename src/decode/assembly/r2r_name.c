// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/r2r_name.h"

#include "decode/assembly/metadata_method.h"
#include "decode/assembly/r2r_internal.h"
#include "decode/assembly/signature.h"

enum {
	PART_BYTES = 1024, /* of a type's name */
	TOKEN_METHOD_DEF = 0x06000000,
};

/* What is being named. */
struct naming {
	const struct nt_r2r *r2r;
	const struct nt_r2r_components *components;
	uint32_t missing; /* number of the first component that was not to be had, + 1; 0 = none */
};

static const struct nt_metadata *metadata_of(struct naming *naming, uint32_t component)
{
	const struct nt_r2r *r2r = naming->r2r;
	if (component >= r2r->component_count)
		return NULL;
	if (!r2r->composite)
		return &r2r->metadata;
	const struct nt_metadata *md = naming->components ? naming->components->of(naming->components->context, component) : NULL;
	if (!md && !naming->missing)
		naming->missing = component + 1;
	return md;
}

/*
 * Modules of signatures count from the image itself on, then the rows of the manifest's AssemblyRef, from 1: module 2 is row 1, the first component.
 * Images that are no composite have no such modules.
 */
static const struct nt_metadata *module_of(void *context, uint32_t number)
{
	enum { FIRST_COMPONENT = 2 };
	struct naming *naming = context;
	return naming->r2r->composite && number >= FIRST_COMPONENT ? metadata_of(naming, number - FIRST_COMPONENT) : NULL;
}

/* Where the types are that have a code of their own in signatures: System.String, System.Int32. */
static const struct nt_metadata *core_library(struct naming *naming)
{
	const struct nt_r2r *r2r = naming->r2r;
	char name[64];
	for (uint32_t i = 0; r2r->composite && i < r2r->component_count; i++) {
		nt_r2r_component_name(r2r, i, name, sizeof(name));
		if (strcmp(name, "System.Private.CoreLib") == 0)
			return metadata_of(naming, i);
	}
	return r2r->composite ? NULL : &r2r->metadata;
}

/* The method that is meant, and its type as text. */
struct method {
	const struct nt_metadata *metadata;
	uint32_t rid;
	struct nt_text_out type;
};

static bool read_plain(struct naming *naming, uint32_t owner, struct method *method)
{
	method->metadata = metadata_of(naming, owner >> NT_R2R_RID_BITS);
	method->rid = owner & ((UINT32_C(1) << NT_R2R_RID_BITS) - 1);
	return method->metadata;
}

/* What stands before a generic instance: its owner type, unless that is told by the method, and the method. */
static bool read_instance(struct naming *naming, uint32_t rva, struct method *method)
{
	const struct nt_r2r *r2r = naming->r2r;
	uint32_t left = nt_pe_left(&r2r->pe, rva), size = left < NT_R2R_SIGNATURE_BYTES ? left : NT_R2R_SIGNATURE_BYTES;
	const uint8_t *bytes = nt_pe_at(&r2r->pe, rva, size);
	if (!size || !bytes)
		return false;
	uint8_t copy[NT_R2R_SIGNATURE_BYTES];
	memcpy(copy, bytes, size);
	const struct nt_signature_modules modules = { .of = module_of, .context = naming };
	const struct nt_metadata *image = r2r->composite ? NULL : &r2r->metadata;
	struct nt_signature signature = {
		.reader = nt_reader_of(copy, size), .scope = image, .image = image, .modules = &modules, .out = &method->type
	};
	uint32_t flags = nt_metadata_compressed(&signature.reader);
	if (flags & NT_R2R_OF_MODULE)
		signature.scope = module_of(naming, nt_metadata_compressed(&signature.reader));
	if (flags & NT_R2R_OF_TYPE && !nt_signature_put_type(&signature, NT_SIGNATURE_NAME))
		return false;
	method->metadata = flags & NT_R2R_OF_TYPE ? signature.owner : signature.scope;
	if (flags & NT_R2R_OF_TYPE && !signature.owner && !naming->missing)
		method->metadata = core_library(naming);
	method->rid = nt_metadata_compressed(&signature.reader);
	return method->metadata && !signature.reader.bad;
}

enum nt_r2r_naming nt_r2r_name(const struct nt_r2r *r2r, uint32_t owner, const struct nt_r2r_components *components,
			       struct nt_r2r_name *out)
{
	char type[PART_BYTES];
	struct naming naming = { .r2r = r2r, .components = components };
	struct method method = { .type = { .buf = type, .size = sizeof(type) } };
	bool instance = owner & NT_R2R_INSTANCE;
	bool found = instance ? read_instance(&naming, owner & ~NT_R2R_INSTANCE, &method) : read_plain(&naming, owner, &method);
	out->missing_component = naming.missing ? naming.missing - 1 : 0;
	if (!found)
		return naming.missing ? NT_R2R_NO_METADATA : NT_R2R_UNNAMED;
	struct nt_text_out text = { .buf = out->text, .size = sizeof(out->text) };
	if (!nt_metadata_put_method(method.metadata, method.rid, &method.type, &text))
		return NT_R2R_UNNAMED;
	out->text[text.length] = '\0';
	out->length = text.length;
	out->token = TOKEN_METHOD_DEF | method.rid;
	return NT_R2R_NAMED;
}
