// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the LTTng-UST provider of the runtime, as genLttngProvider.py of dotnet/runtime makes it, from src/decode/clr/clr_events.def: the same names, the same
 * field types, packed where the runtime packs.
 */
#include "decode/clr/clr.h"

#include <stdio.h>

/* The types that the runtime's generator gives its tracepoints. */
static const char *const c_types[] = {
	[NT_WIRE_U8] = "unsigned char", [NT_WIRE_U16] = "unsigned short", [NT_WIRE_U32] = "unsigned int",
	[NT_WIRE_I32] = "int",          [NT_WIRE_U64] = "uint64_t",       [NT_WIRE_F64] = "double",
	[NT_WIRE_PTR] = "size_t",       [NT_WIRE_BOOL] = "int",           [NT_WIRE_STR] = "const char *",
};

static void print_fields(const struct nt_clr_desc *desc)
{
	printf("\tLTTNG_UST_TP_ARGS(");
	for (unsigned i = 0; i < desc->field_count; i++)
		printf("%s%s, %s", i ? ", " : "", c_types[desc->fields[i].wire], desc->fields[i].name);
	printf("%s),\n\tLTTNG_UST_TP_FIELDS(", desc->field_count ? "" : "void");
	for (unsigned i = 0; i < desc->field_count; i++) {
		const struct nt_clr_field *field = &desc->fields[i];
		if (field->wire == NT_WIRE_STR)
			printf("\n\t\tlttng_ust_field_string(%s, %s)", field->name, field->name);
		else
			printf("\n\t\tlttng_ust_field_%s(%s, %s, %s)", field->wire == NT_WIRE_F64 ? "float" : "integer",
			       c_types[field->wire], field->name, field->name);
	}
}

static void print_event(const struct nt_clr_desc *desc)
{
	printf("LTTNG_UST_TRACEPOINT_EVENT(%s, %s,\n", NT_CLR_LTTNG_PROVIDER, desc->name);
	if (desc->packed_over_lttng)
		printf("\tLTTNG_UST_TP_ARGS(unsigned int, length, const char *, __data__),\n\tLTTNG_UST_TP_FIELDS("
		       "\n\t\tlttng_ust_field_integer(unsigned int, length, length)"
		       "\n\t\tlttng_ust_field_sequence(char, __data__, __data__, unsigned int, length)");
	else
		print_fields(desc);
	printf("))\n\n");
}

int main(void)
{
	printf("/* Made from src/decode/clr/clr_events.def. */\n"
	       "#undef LTTNG_UST_TRACEPOINT_PROVIDER\n#define LTTNG_UST_TRACEPOINT_PROVIDER %s\n"
	       "#undef LTTNG_UST_TRACEPOINT_INCLUDE\n#define LTTNG_UST_TRACEPOINT_INCLUDE \"fakeclr/provider.h\"\n\n"
	       "#if !defined(FAKECLR_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)\n#define FAKECLR_PROVIDER_H\n"
	       "#include <lttng/tracepoint.h>\n#include <stdint.h>\n\n",
	       NT_CLR_LTTNG_PROVIDER);
	const struct nt_clr_desc *desc;
	for (size_t i = 0; (desc = nt_clr_at_index(i)); i++)
		print_event(desc);
	printf("#endif\n#include <lttng/tracepoint-event.h>\n");
	return 0;
}
