/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Managed types that the runtime has loaded, by their names, and where their fields are. What is private to a type has other names in another version, so what is not found under its name and type is not there. What
 * a FieldDesc looks like inside is in no description: it is read of .NET 10 only, and only where it names its type. All of it needs NT_CONTRACT_FIELDS and NT_CONTRACT_NAMES.
 */
#ifndef NT_DECODE_CONTRACT_FIELDS_H
#define NT_DECODE_CONTRACT_FIELDS_H

#include "decode/contract/contract_modules.h"

/* What a field holds, as far as it is asked for (ECMA-335 II.23.1.16). An array is an object. */
enum nt_contract_field_type {
	NT_FIELD_BOOL = 0x02,
	NT_FIELD_I2 = 0x06,
	NT_FIELD_I4 = 0x08,
	NT_FIELD_U8 = 0x0b,
	NT_FIELD_VALUE = 0x11, /* a structure */
	NT_FIELD_OBJECT = 0x12
};

struct nt_contract_field {
	const char *name;
	enum nt_contract_field_type type;
	bool is_static;
};

/* The module that System.Object is in; 0: it cannot be read. */
uint64_t nt_contract_core(const struct nt_contract *contract);

/*
 * Which rows of TypeDef of the module types of these names are, written as Namespace.Outer+Inner`1: rids[i] of names[i], 0 = there is none. All names of the module are gone through, once. False: they
 * cannot be read to their end.
 */
bool nt_contract_find_types(struct nt_contract_modules *modules, uint64_t module, const char *const *names, size_t count, uint32_t *rids);

/* The MethodTable of that row; 0: the runtime has not loaded the type, or that cannot be read. Of a generic type it is that of none of its instances. */
uint64_t nt_contract_table_of(const struct nt_contract *contract, uint64_t module, uint32_t rid);

/* Is it the type of that row, or an instance of it? */
bool nt_contract_is_table_of(const struct nt_contract *contract, uint64_t table, uint64_t module, uint32_t rid);

/* The MethodTable of the object at the address; 0: that cannot be read. */
uint64_t nt_contract_type_of(const struct nt_contract *contract, uint64_t object);

/*
 * Where the type itself has that field: in bytes from the begin of its fields, which of an object lie NT_CONTRACT_OBJECT_HEAD from its address on; of a static one from the begin of the type's static objects on. False: there is
 * none, or it cannot be read.
 */
bool nt_contract_find_field(struct nt_contract_modules *modules, uint64_t table, const struct nt_contract_field *field, uint32_t *offset);

enum { NT_CONTRACT_OBJECT_HEAD = 8 };

/*
 * Calls `take` for each static field of the type itself that has an object, or a structure, which lies in an object of its own: its row of Field, and where it is, in bytes from the begin of the type's static objects on. Fields of threads and
 * those that lie in the image are not among them.
 */
typedef void nt_contract_static_field(void *context, uint32_t field, uint32_t offset);
void nt_contract_each_static(const struct nt_contract *contract, uint64_t table, nt_contract_static_field *take, void *context);

/* Where the static objects of a type are; 0: there are none yet, or that cannot be read. */
uint64_t nt_contract_statics(const struct nt_contract *contract, uint64_t table);

#endif
