// SPDX-License-Identifier: GPL-2.0-only
/*
 * A provider of lttng-ust 2.12 with every type of field and every place an argument can have. The macros of LTTng read this file many times.
 */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER nt_fields

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./tp.h"

#if !defined(NT_FIELDS_TP_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define NT_FIELDS_TP_H

#include <lttng/tracepoint.h>
#include <stdint.h>

// Declarations, not code:
// clang-format off

TRACEPOINT_ENUM(nt_fields, colour,
	TP_ENUM_VALUES(
		ctf_enum_value("red", 0)
		ctf_enum_range("warm", 1, 5)
		ctf_enum_value("negative", -3)
		ctf_enum_auto("next")
	)
)

// The first call site of the section: the one without a predecessor.
TRACEPOINT_EVENT(nt_fields, first,
	TP_ARGS(int, number),
	TP_FIELDS(ctf_integer(int, number, number))
)

TRACEPOINT_EVENT(nt_fields, nothing, TP_ARGS(), TP_FIELDS())

TRACEPOINT_EVENT(nt_fields, integers,
	TP_ARGS(int64_t, n),
	TP_FIELDS(
		ctf_integer(int8_t, s8, (int8_t)n)
		ctf_integer(int16_t, s16, (int16_t)n)
		ctf_integer(int32_t, s32, (int32_t)n)
		ctf_integer(int64_t, s64, n)
		ctf_integer(uint8_t, u8, (uint8_t)n)
		ctf_integer(uint16_t, u16, (uint16_t)n)
		ctf_integer(uint32_t, u32, (uint32_t)n)
		ctf_integer(uint64_t, u64, (uint64_t)n)
		ctf_integer_hex(uint32_t, hex, (uint32_t)n)
		ctf_integer_network(uint32_t, network, (uint32_t)n)
		ctf_integer_network_hex(uint16_t, network_hex, (uint16_t)n)
		ctf_integer_nowrite(int64_t, unseen, n * 2)
	)
)

TRACEPOINT_EVENT(nt_fields, arguments,
	TP_ARGS(int, a, double, b, const char *, c, uint64_t, d, float, e, short, f, long, g, double, h, unsigned char, i, long, j),
	TP_FIELDS(
		ctf_integer(int, a, a)
		ctf_float(double, b, b)
		ctf_string(c, c)
		ctf_integer(uint64_t, d, d)
		ctf_float(float, e, e)
		ctf_integer(short, f, f)
		ctf_integer(long, g, g)
		ctf_float(double, h, h)
		ctf_integer(unsigned char, i, i)
		ctf_integer(long, j, j)
	)
)

TRACEPOINT_EVENT(nt_fields, lists,
	TP_ARGS(const uint32_t *, values, size_t, count, const char *, text),
	TP_FIELDS(
		ctf_array(uint32_t, array, values, 3)
		ctf_array_hex(uint32_t, array_hex, values, 2)
		ctf_array_network(uint32_t, array_network, values, 2)
		ctf_array_network_hex(uint32_t, array_network_hex, values, 2)
		ctf_array_text(char, array_text, text, 4)
		ctf_sequence(uint32_t, sequence, values, uint8_t, count)
		ctf_sequence_hex(uint32_t, sequence_hex, values, uint16_t, count)
		ctf_sequence_network(uint32_t, sequence_network, values, uint32_t, count)
		ctf_sequence_text(char, sequence_text, text, uint64_t, count)
		ctf_string(null_text, NULL)
		ctf_array_nowrite(uint32_t, unseen_array, values, 3)
		ctf_sequence_nowrite(uint32_t, unseen_sequence, values, uint8_t, count)
		ctf_string_nowrite(unseen_text, text)
	)
)

TRACEPOINT_EVENT(nt_fields, enumerations,
	TP_ARGS(int, value),
	TP_FIELDS(
		ctf_enum(nt_fields, colour, int, colour, value)
		ctf_enum(nt_fields, colour, int8_t, small, value)
		ctf_enum_nowrite(nt_fields, colour, int, unseen, value)
	)
)

TRACEPOINT_EVENT_CLASS(nt_fields, pair,
	TP_ARGS(int, left, int, right),
	TP_FIELDS(ctf_integer(int, left, left) ctf_integer(int, right, right))
)
TRACEPOINT_EVENT_INSTANCE(nt_fields, pair, pair_a, TP_ARGS(int, left, int, right))
TRACEPOINT_EVENT_INSTANCE(nt_fields, pair, pair_b, TP_ARGS(int, left, int, right))
TRACEPOINT_LOGLEVEL(nt_fields, pair_b, TRACE_WARNING)
TRACEPOINT_MODEL_EMF_URI(nt_fields, pair_b, "http://example.org/model?q=pair")

#endif

#include <lttng/tracepoint-event.h>
