// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/metadata_tables.h"

/*
 * What a column holds. Below 0x40: a row of that table. From CODED on: a row of one of several tables, told by its lowest bits (II.24.2.6).
 */
enum {
	CODED = 0x40,
	NUMBER_16 = 0x80,
	NUMBER_32,
	STRING,
	GUID,
	BLOB,
	END = 0xff,
};

enum {
	TYPE_DEF_OR_REF = CODED,
	HAS_CONSTANT,
	HAS_CUSTOM_ATTRIBUTE,
	HAS_FIELD_MARSHAL,
	HAS_DECL_SECURITY,
	MEMBER_REF_PARENT,
	HAS_SEMANTICS,
	METHOD_DEF_OR_REF,
	MEMBER_FORWARDED,
	IMPLEMENTATION,
	CUSTOM_ATTRIBUTE_TYPE,
	RESOLUTION_SCOPE,
	TYPE_OR_METHOD_DEF,
	CODED_END,
};

enum { CODED_TABLES_MAX = 22 };

static const struct coded {
	uint8_t bits, count;
	uint8_t tables[CODED_TABLES_MAX];
} coded[CODED_END - CODED] = {
	[TYPE_DEF_OR_REF - CODED] = { 2, 3, { 0x02, 0x01, 0x1b } },
	[HAS_CONSTANT - CODED] = { 2, 3, { 0x04, 0x08, 0x17 } },
	[HAS_CUSTOM_ATTRIBUTE - CODED] = { 5, 22, { 0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14,
						    0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b } },
	[HAS_FIELD_MARSHAL - CODED] = { 1, 2, { 0x04, 0x08 } },
	[HAS_DECL_SECURITY - CODED] = { 2, 3, { 0x02, 0x06, 0x20 } },
	[MEMBER_REF_PARENT - CODED] = { 3, 5, { 0x02, 0x01, 0x1a, 0x06, 0x1b } },
	[HAS_SEMANTICS - CODED] = { 1, 2, { 0x14, 0x17 } },
	[METHOD_DEF_OR_REF - CODED] = { 1, 2, { 0x06, 0x0a } },
	[MEMBER_FORWARDED - CODED] = { 1, 2, { 0x04, 0x06 } },
	[IMPLEMENTATION - CODED] = { 2, 3, { 0x26, 0x23, 0x27 } },
	[CUSTOM_ATTRIBUTE_TYPE - CODED] = { 3, 2, { 0x06, 0x0a } },
	[RESOLUTION_SCOPE - CODED] = { 2, 4, { 0x00, 0x1a, 0x23, 0x01 } },
	[TYPE_OR_METHOD_DEF - CODED] = { 1, 2, { 0x02, 0x06 } },
};

static const uint8_t schema[NT_TABLE_COUNT][NT_COLUMNS_MAX + 1] = {
	[0x00] = { NUMBER_16, STRING, GUID, GUID, GUID, END },                                                    /* Module */
	[0x01] = { RESOLUTION_SCOPE, STRING, STRING, END },                                                       /* TypeRef */
	[0x02] = { NUMBER_32, STRING, STRING, TYPE_DEF_OR_REF, 0x04, 0x06, END },                                 /* TypeDef */
	[0x03] = { 0x04, END },                                                                                   /* FieldPtr */
	[0x04] = { NUMBER_16, STRING, BLOB, END },                                                                /* Field */
	[0x05] = { 0x06, END },                                                                                   /* MethodPtr */
	[0x06] = { NUMBER_32, NUMBER_16, NUMBER_16, STRING, BLOB, 0x08, END },                                    /* MethodDef */
	[0x07] = { 0x08, END },                                                                                   /* ParamPtr */
	[0x08] = { NUMBER_16, NUMBER_16, STRING, END },                                                           /* Param */
	[0x09] = { 0x02, TYPE_DEF_OR_REF, END },                                                                  /* InterfaceImpl */
	[0x0a] = { MEMBER_REF_PARENT, STRING, BLOB, END },                                                        /* MemberRef */
	[0x0b] = { NUMBER_16, HAS_CONSTANT, BLOB, END },                                                          /* Constant */
	[0x0c] = { HAS_CUSTOM_ATTRIBUTE, CUSTOM_ATTRIBUTE_TYPE, BLOB, END },                                      /* CustomAttribute */
	[0x0d] = { HAS_FIELD_MARSHAL, BLOB, END },                                                                /* FieldMarshal */
	[0x0e] = { NUMBER_16, HAS_DECL_SECURITY, BLOB, END },                                                     /* DeclSecurity */
	[0x0f] = { NUMBER_16, NUMBER_32, 0x02, END },                                                             /* ClassLayout */
	[0x10] = { NUMBER_32, 0x04, END },                                                                        /* FieldLayout */
	[0x11] = { BLOB, END },                                                                                   /* StandAloneSig */
	[0x12] = { 0x02, 0x14, END },                                                                             /* EventMap */
	[0x13] = { 0x14, END },                                                                                   /* EventPtr */
	[0x14] = { NUMBER_16, STRING, TYPE_DEF_OR_REF, END },                                                     /* Event */
	[0x15] = { 0x02, 0x17, END },                                                                             /* PropertyMap */
	[0x16] = { 0x17, END },                                                                                   /* PropertyPtr */
	[0x17] = { NUMBER_16, STRING, BLOB, END },                                                                /* Property */
	[0x18] = { NUMBER_16, 0x06, HAS_SEMANTICS, END },                                                         /* MethodSemantics */
	[0x19] = { 0x02, METHOD_DEF_OR_REF, METHOD_DEF_OR_REF, END },                                             /* MethodImpl */
	[0x1a] = { STRING, END },                                                                                 /* ModuleRef */
	[0x1b] = { BLOB, END },                                                                                   /* TypeSpec */
	[0x1c] = { NUMBER_16, MEMBER_FORWARDED, STRING, 0x1a, END },                                              /* ImplMap */
	[0x1d] = { NUMBER_32, 0x04, END },                                                                        /* FieldRVA */
	[0x1e] = { NUMBER_32, NUMBER_32, END },                                                                   /* ENCLog */
	[0x1f] = { NUMBER_32, END },                                                                              /* ENCMap */
	[0x20] = { NUMBER_32, NUMBER_16, NUMBER_16, NUMBER_16, NUMBER_16, NUMBER_32, BLOB, STRING, STRING, END }, /* Assembly */
	[0x21] = { NUMBER_32, END },                                                                              /* AssemblyProcessor */
	[0x22] = { NUMBER_32, NUMBER_32, NUMBER_32, END },                                                        /* AssemblyOS */
	[0x23] = { NUMBER_16, NUMBER_16, NUMBER_16, NUMBER_16, NUMBER_32, BLOB, STRING, STRING, BLOB, END },      /* AssemblyRef */
	[0x24] = { NUMBER_32, 0x23, END },                                                                        /* AssemblyRefProcessor */
	[0x25] = { NUMBER_32, NUMBER_32, NUMBER_32, 0x23, END },                                                  /* AssemblyRefOS */
	[0x26] = { NUMBER_32, STRING, BLOB, END },                                                                /* File */
	[0x27] = { NUMBER_32, NUMBER_32, STRING, STRING, IMPLEMENTATION, END },                                   /* ExportedType */
	[0x28] = { NUMBER_32, NUMBER_32, STRING, IMPLEMENTATION, END },                                           /* ManifestResource */
	[0x29] = { 0x02, 0x02, END },                                                                             /* NestedClass */
	[0x2a] = { NUMBER_16, NUMBER_16, TYPE_OR_METHOD_DEF, STRING, END },                                       /* GenericParam */
	[0x2b] = { METHOD_DEF_OR_REF, BLOB, END },                                                                /* MethodSpec */
	[0x2c] = { 0x2a, TYPE_DEF_OR_REF, END }, /* GenericParamConstraint */
	[0x2d] = { END },
	[0x2e] = { END },
	[0x2f] = { END },
	[0x30] = { BLOB, GUID, BLOB, GUID, END }, /* Document, of portable PDBs */
	[0x31] = { 0x30, BLOB, END },             /* MethodDebugInformation */
};

static uint32_t rows_of(const struct nt_metadata *md, unsigned table)
{
	return table < NT_TABLE_COUNT ? md->tables[table].count : md->further_counts[table - NT_TABLE_COUNT];
}

static uint8_t coded_width(const struct nt_metadata *md, const struct coded *kind)
{
	for (unsigned i = 0; i < kind->count; i++)
		if (rows_of(md, kind->tables[i]) >= UINT32_C(1) << (16 - kind->bits))
			return 4;
	return 2;
}

static uint8_t width_of(const struct nt_metadata *md, uint8_t column)
{
	switch (column) {
	case NUMBER_16:
		return 2;
	case NUMBER_32:
		return 4;
	case STRING:
		return md->heap_sizes & 1 ? 4 : 2;
	case GUID:
		return md->heap_sizes & 2 ? 4 : 2;
	case BLOB:
		return md->heap_sizes & 4 ? 4 : 2;
	default:
		if (column >= CODED)
			return coded_width(md, &coded[column - CODED]);
		return rows_of(md, column) >= UINT32_C(1) << 16 ? 4 : 2;
	}
}

void nt_metadata_lay_out(struct nt_metadata *md)
{
	for (unsigned table = 0; table < NT_TABLE_COUNT; table++) {
		struct nt_metadata_rows *rows = &md->tables[table];
		for (unsigned i = 0; schema[table][i] != END; i++) {
			rows->widths[i] = width_of(md, schema[table][i]);
			rows->bytes = (uint8_t)(rows->bytes + rows->widths[i]);
		}
	}
}
