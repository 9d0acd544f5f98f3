/* SPDX-License-Identifier: GPL-2.0-only */
/* A .gcdump file written by hand: a list of two orders in a static field, as dotnet-gcdump lays it out. */
#ifndef TEST_GCDUMP_BYTES_H
#define TEST_GCDUMP_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GCDUMP_MAX = 2048, GCDUMP_NODES = 6, GCDUMP_TYPES = 6 };

struct gcdump_bytes {
	uint8_t bytes[GCDUMP_MAX];
	size_t length;
	size_t root, type_count, node_count, places, blob_length, blob; /* where these are */
};

static inline void gcdump_put(struct gcdump_bytes *out, const void *bytes, size_t size)
{
	memcpy(out->bytes + out->length, bytes, size);
	out->length += size;
}

static inline void gcdump_u8(struct gcdump_bytes *out, uint8_t value)
{
	gcdump_put(out, &value, sizeof(value));
}

static inline void gcdump_i32(struct gcdump_bytes *out, int32_t value)
{
	gcdump_put(out, &value, sizeof(value));
}

static inline void gcdump_i64(struct gcdump_bytes *out, int64_t value)
{
	gcdump_put(out, &value, sizeof(value));
}

static inline void gcdump_string(struct gcdump_bytes *out, const char *text)
{
	gcdump_i32(out, text ? (int32_t)strlen(text) : -1);
	gcdump_put(out, text ? text : "", text ? strlen(text) : 0);
}

static inline void gcdump_object(struct gcdump_bytes *out, const char *type, int32_t version, int32_t least)
{
	gcdump_put(out, "\4\4\1", 3);
	gcdump_i32(out, version);
	gcdump_i32(out, least);
	gcdump_string(out, type);
	gcdump_u8(out, 6);
}

static inline struct gcdump_bytes gcdump_usual(const char *tool)
{
	static const struct {
		const char *name;
		int32_t size;
	} types[GCDUMP_TYPES] = { { "[.NET Roots]", 0 },
				  { "[static var System.Collections.Generic.List<Shop.Order>.s_orders]", 0 },
				  { "System.Collections.Generic.List<Shop.Order>", 32 },
				  { "Shop.Order", 24 },
				  { "System.Byte[] (Bytes > 1K)", -1 },
				  { "Pair<System.Int32,System.String>", 40 } };
	/* Root, field, list, two orders, bytes. Type * 2 + own size, [size,] references and how far each is. */
	static const uint8_t blob[] = { 0, 1,    1,       /* to 1 */
					2, 1,    1,       /* to 2 */
					4, 2,    1,    2, /* to 3 and 4 */
					6, 1,    2,       /* to 5 */
					6, 1,    0x7e,    /* back to 2 */
					9, 0x9f, 0x20,    /* 31 * 128 + 32 bytes */
					0 };
	static const uint32_t places[GCDUMP_NODES] = { 0, 3, 6, 10, 13, 16 };
	struct gcdump_bytes out = { .length = 0 };
	gcdump_string(&out, "!FastSerialization.1");
	gcdump_object(&out, "GCHeapDump", 10, 8);
	gcdump_object(&out, "Graphs.MemoryGraph", 1, 0);
	gcdump_i64(&out, 4128);
	out.root = out.length;
	gcdump_i32(&out, 0);
	out.type_count = out.length;
	gcdump_i32(&out, GCDUMP_TYPES);
	for (int i = 0; i < GCDUMP_TYPES; i++) {
		gcdump_string(&out, types[i].name);
		gcdump_i32(&out, types[i].size);
		gcdump_string(&out, i == 3 ? "/app/shop.dll" : NULL);
	}
	out.node_count = out.length;
	gcdump_i32(&out, GCDUMP_NODES);
	out.places = out.length;
	gcdump_put(&out, places, sizeof(places));
	out.blob_length = out.length;
	gcdump_i32(&out, sizeof(blob));
	out.blob = out.length;
	gcdump_put(&out, blob, sizeof(blob));
	gcdump_i32(&out, GCDUMP_NODES);
	for (int i = 0; i < GCDUMP_NODES; i++)
		gcdump_i64(&out, 0x1000 * i);
	gcdump_put(&out, "\10\1\6", 3);
	gcdump_u8(&out, 1);
	gcdump_i64(&out, 0x3f8000003f800000);
	gcdump_put(&out, "\1\1", 2);
	gcdump_string(&out, NULL);
	gcdump_i64(&out, INT64_C(639000000000000000));
	gcdump_string(&out, NULL);
	gcdump_string(&out, "shop");
	gcdump_i32(&out, 4711);
	gcdump_i64(&out, 0);
	gcdump_i64(&out, 0);
	gcdump_i32(&out, 0);
	gcdump_put(&out, "\14\0\0\0\0\1\15", 7);
	gcdump_string(&out, tool);
	gcdump_put(&out, "\6\6", 2);
	gcdump_i32(&out, 1);
	gcdump_i64(&out, 0);
	gcdump_i32(&out, 0);
	return out;
}

#endif
