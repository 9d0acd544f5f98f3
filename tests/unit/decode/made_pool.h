/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread pool in memory that is made up: metadata of the types that it is made of, what the runtime has loaded of these (.NET 10's form), and its objects. Each field of a type has eight bytes of its own.
 */
#ifndef TEST_MADE_POOL_H
#define TEST_MADE_POOL_H

#include "made_memory.h"

/* What is to be found. Five items are in a part that nobody may add to any more, two in the one behind it, three in the list of one worker. */
enum { MADE_WORKING = 3, MADE_EXISTING = 4, MADE_GOAL = 5, MADE_MIN = 2, MADE_MAX = 100, MADE_QUEUED = 5 + 2 + 3 };

enum { MADE_ARRAY_HEAD = 16, MADE_OBJECT_HEAD = 8, MADE_FIELD_BYTES = 8, MADE_DESC_BYTES = 16, MADE_METADATA = 2048 };

/* In the order of their rows in TypeDef, from 2 on. */
enum made_type { MADE_POOL, MADE_PADDED, MADE_PUBLIC, MADE_QUEUE, MADE_LOCALS, MADE_LOCAL, MADE_LIST, MADE_PART, MADE_ENDS, MADE_TYPES };
enum { MADE_FIRST_RID = 2, MADE_OBJECT = 0x12, MADE_STRUCT = 0x11, MADE_I2 = 0x06, MADE_I4 = 0x08 };

static const struct {
	const char *space, *name;
	unsigned outer; /* its row; 0 = none */
} made_types[MADE_TYPES] = {
	[MADE_POOL] = { "System.Threading", "PortableThreadPool", 0 },
	[MADE_PADDED] = { "", "CacheLineSeparated", MADE_POOL + MADE_FIRST_RID },
	[MADE_PUBLIC] = { "System.Threading", "ThreadPool", 0 },
	[MADE_QUEUE] = { "System.Threading", "ThreadPoolWorkQueue", 0 },
	[MADE_LOCALS] = { "", "WorkStealingQueueList", MADE_QUEUE + MADE_FIRST_RID },
	[MADE_LOCAL] = { "", "WorkStealingQueue", MADE_QUEUE + MADE_FIRST_RID },
	[MADE_LIST] = { "System.Collections.Concurrent", "ConcurrentQueue`1", 0 },
	[MADE_PART] = { "System.Collections.Concurrent", "ConcurrentQueueSegment`1", 0 },
	[MADE_ENDS] = { "System.Collections.Concurrent", "PaddedHeadAndTail", 0 },
};

/* By type, each in the order of its offset. */
static const struct made_field {
	enum made_type of;
	const char *name;
	uint32_t type;
	bool is_static;
} made_fields[] = {
	{ MADE_POOL, "ThreadPoolInstance", MADE_OBJECT, true },
	{ MADE_POOL, "_minThreads", MADE_I2, false },
	{ MADE_POOL, "_maxThreads", MADE_I2, false },
	{ MADE_POOL, "_separated", MADE_STRUCT, false },
	{ MADE_PADDED, "counts", MADE_STRUCT, false },
	{ MADE_PUBLIC, "s_workQueue", MADE_OBJECT, true },
	{ MADE_QUEUE, "workItems", MADE_OBJECT, false },
	{ MADE_QUEUE, "highPriorityWorkItems", MADE_OBJECT, false },
	{ MADE_QUEUE, "lowPriorityWorkItems", MADE_OBJECT, false },
	{ MADE_QUEUE, "_assignableWorkItemQueues", MADE_OBJECT, false },
	{ MADE_LOCALS, "s_queues", MADE_OBJECT, true },
	{ MADE_LOCAL, "m_array", MADE_OBJECT, false },
	{ MADE_LOCAL, "m_headIndex", MADE_I4, false },
	{ MADE_LOCAL, "m_tailIndex", MADE_I4, false },
	{ MADE_LIST, "_head", MADE_OBJECT, false },
	{ MADE_LIST, "_tail", MADE_OBJECT, false },
	{ MADE_PART, "_slots", MADE_OBJECT, false },
	{ MADE_PART, "_slotsMask", MADE_I4, false },
	{ MADE_PART, "_nextSegment", MADE_OBJECT, false },
	{ MADE_PART, "_headAndTail", MADE_STRUCT, false },
	{ MADE_ENDS, "Head", MADE_I4, false },
	{ MADE_ENDS, "Tail", MADE_I4, false },
};
enum { MADE_FIELDS = sizeof(made_fields) / sizeof(made_fields[0]) };

/* ---- metadata (ECMA-335 II.24) ---- */

struct made_bytes {
	uint8_t bytes[MADE_METADATA];
	size_t used;
};

static inline void made_add(struct made_bytes *out, uint64_t value, size_t size)
{
	if (out->used + size > MADE_METADATA)
		abort();
	memcpy(out->bytes + out->used, &value, size);
	out->used += size;
}

static inline uint16_t made_string(struct made_bytes *strings, const char *text)
{
	size_t place = strings->used, length = strlen(text) + 1;
	if (place + length > MADE_METADATA)
		abort();
	memcpy(strings->bytes + place, text, length);
	strings->used += length;
	return (uint16_t)place;
}

static inline void made_tables(struct made_bytes *tables, struct made_bytes *strings)
{
	unsigned nested = 0;
	for (unsigned i = 0; i < MADE_TYPES; i++)
		nested += made_types[i].outer != 0;
	made_add(tables, 0, 8);
	made_add(tables, UINT64_C(1) << 0x02 | UINT64_C(1) << 0x04 | UINT64_C(1) << 0x29, 8);
	made_add(tables, 0, 8);
	made_add(tables, MADE_TYPES + 1, 4);
	made_add(tables, MADE_FIELDS, 4);
	made_add(tables, nested, 4);
	made_add(tables, 0, 8);
	made_add(tables, 0, 6); /* row 1 of TypeDef is nobody's */
	for (unsigned i = 0; i < MADE_TYPES; i++) {
		made_add(tables, 0, 4);
		made_add(tables, made_string(strings, made_types[i].name), 2);
		made_add(tables, made_string(strings, made_types[i].space), 2);
		made_add(tables, 0, 6);
	}
	for (unsigned i = 0; i < MADE_FIELDS; i++) {
		made_add(tables, 0, 2);
		made_add(tables, made_string(strings, made_fields[i].name), 2);
		made_add(tables, 0, 2);
	}
	for (unsigned i = 0; i < MADE_TYPES; i++)
		if (made_types[i].outer)
			made_add(tables, (i + MADE_FIRST_RID) | (uint64_t)made_types[i].outer << 16, 4);
}

static inline void made_metadata(struct made_bytes *out)
{
	static struct made_bytes tables, strings;
	enum { HEAD = 16 + 4 + 4 + 8 + 4 + 8 + 12 };
	tables.used = 0;
	strings.used = 1;
	made_tables(&tables, &strings);
	out->used = 0;
	made_add(out, UINT32_C(0x424a5342), 4);
	made_add(out, 0, 8);
	made_add(out, 4, 4);
	made_add(out, 0, 4); /* the version's text */
	made_add(out, 2 << 16, 4);
	made_add(out, HEAD | (uint64_t)tables.used << 32, 8);
	made_add(out, '#' | '~' << 8, 4);
	made_add(out, (HEAD + tables.used) | (uint64_t)strings.used << 32, 8);
	made_add(out, UINT64_C(0x73676e6972745323), 8); /* #Strings */
	made_add(out, 0, 4);
	for (size_t i = 0; i < tables.used; i++)
		made_add(out, tables.bytes[i], 1);
	for (size_t i = 0; i < strings.used; i++)
		made_add(out, strings.bytes[i], 1);
}

/* ---- types ---- */

/* The module, with its metadata and an empty map from rows to types. Returns it; *map: the map's first word. */
static inline uint64_t made_core(struct made_runtime *made, uint64_t *map)
{
	static struct made_bytes metadata;
	made_metadata(&metadata);
	uint64_t module = made_room(made, (size_t)2 * MADE_THING), data = made_room(made, MADE_THING + metadata.used);
	uint64_t types = module + made_offset(NT_OFF_MODULE_TYPES);
	*map = made_room(made, (MADE_TYPES + MADE_FIRST_RID) * sizeof(uint64_t));
	made_field(made, module, NT_OFF_MODULE_MADE, data);
	made_field(made, data, NT_OFF_MADE_SIZE, metadata.used);
	made_put(made, data + made_offset(NT_OFF_MADE_DATA), metadata.bytes, metadata.used);
	made_field(made, types, NT_OFF_MAP_DATA, *map);
	made_field(made, types, NT_OFF_MAP_COUNT, MADE_TYPES + MADE_FIRST_RID);
	made_field(made, types, NT_OFF_MAP_FLAGS, 1);
	return module;
}

static inline uint32_t made_offset_of(unsigned field)
{
	unsigned first = field;
	while (first && made_fields[first - 1].of == made_fields[field].of)
		first--;
	return (field - first) * MADE_FIELD_BYTES;
}

/* A type's MethodTable, which is its EEClass, too, as no field of one lies where one of the other does. What is said of its statics lies in front of what is said besides. */
static inline uint64_t made_table(struct made_runtime *made, uint64_t module, enum made_type type, uint64_t base, uint64_t statics)
{
	uint64_t table = made_room(made, MADE_THING), said = made_room(made, MADE_THING),
		 descs = made_room(made, MADE_FIELDS * MADE_DESC_BYTES);
	uint32_t counts[2] = { 0 };
	for (unsigned i = 0; i < MADE_FIELDS; i++) {
		if (made_fields[i].of != type)
			continue;
		uint64_t desc = descs + MADE_DESC_BYTES * (counts[0] + counts[1]);
		made_u64(made, desc, table);
		made_u32(made, desc + 8, (i + 1) | (uint32_t)made_fields[i].is_static << 24);
		made_u32(made, desc + 12, made_offset_of(i) | made_fields[i].type << 27);
		counts[made_fields[i].is_static]++;
		if (type == MADE_POOL && counts[0] == 1)
			made->pool.desc = desc;
	}
	made_field(made, table, NT_OFF_TABLE_MODULE, module);
	made_field(made, table, NT_OFF_TABLE_FLAGS2, (type + MADE_FIRST_RID) << 8 | 2 /* it has statics */);
	made_u64(made, said + 16, table);
	made_field(made, table, NT_OFF_TABLE_PARENT, base);
	made_field(made, table, NT_OFF_TABLE_CLASS, table);
	made_field(made, table, NT_OFF_TABLE_AUXILIARY, said + MADE_THING);
	made_field(made, said, NT_OFF_STATICS_OBJECTS, statics | 1);
	made_field(made, table, NT_OFF_CLASS_FIELDS, descs);
	made_field(made, table, NT_OFF_CLASS_INSTANCE_COUNT, counts[0]);
	made_field(made, table, NT_OFF_CLASS_STATIC_COUNT, counts[1]);
	return table;
}

/* An instance of a generic type: its class is that of another one. */
static inline uint64_t made_instance(struct made_runtime *made, uint64_t module, enum made_type type, uint64_t base, uint64_t canonical)
{
	uint64_t table = made_room(made, MADE_THING);
	made_field(made, table, NT_OFF_TABLE_MODULE, module);
	made_field(made, table, NT_OFF_TABLE_FLAGS2, (type + MADE_FIRST_RID) << 8);
	made_field(made, table, NT_OFF_TABLE_PARENT, base);
	made_field(made, table, NT_OFF_TABLE_CLASS, canonical | 1);
	return table;
}

/* ---- objects ---- */

/* The field with that number of an object. */
static inline uint64_t made_at(uint64_t object, unsigned number)
{
	return object + MADE_OBJECT_HEAD + number * MADE_FIELD_BYTES;
}

static inline uint64_t made_object(struct made_runtime *made, uint64_t table, unsigned fields)
{
	uint64_t object = made_room(made, MADE_OBJECT_HEAD + fields * MADE_FIELD_BYTES);
	made_u64(made, object, table);
	return object;
}

/* Its elements are references. */
static inline uint64_t made_array(struct made_runtime *made, uint32_t length, unsigned room)
{
	uint64_t array = made_room(made, (size_t)2 * MADE_THING + room * sizeof(uint64_t));
	made_field(made, array, NT_OFF_ARRAY_COUNT, length);
	return array;
}

static inline uint64_t made_part(struct made_runtime *made, uint64_t table, uint32_t length, uint32_t head, uint32_t tail)
{
	uint64_t part = made_object(made, table, 5);
	made_u64(made, made_at(part, 0), made_array(made, length, 0));
	made_u32(made, made_at(part, 1), length - 1);
	made_u32(made, made_at(part, 3), head);
	made_u32(made, made_at(part, 4), tail);
	return part;
}

static inline uint64_t made_list(struct made_runtime *made, uint64_t table, uint64_t head, uint64_t tail)
{
	uint64_t list = made_object(made, table, 2);
	made_u64(made, made_at(list, 0), head);
	made_u64(made, made_at(list, 1), tail);
	return list;
}

static inline uint64_t made_local(struct made_runtime *made, uint64_t table, uint32_t head, uint32_t tail)
{
	uint64_t local = made_object(made, table, 3);
	made_u64(made, made_at(local, 0), made_array(made, 32, 0));
	made_u32(made, made_at(local, 1), head);
	made_u32(made, made_at(local, 2), tail);
	return local;
}

static inline uint64_t made_workers(struct made_runtime *made, const uint64_t *tables)
{
	uint64_t pool = made_object(made, tables[MADE_POOL], 4);
	made_u32(made, made_at(pool, 1), MADE_MIN);
	made_u32(made, made_at(pool, 2), MADE_MAX);
	made->pool.counts = made_at(pool, 3);
	made_u64(made, made->pool.counts, MADE_WORKING | MADE_EXISTING << 16 | (uint64_t)MADE_GOAL << 32);
	return pool;
}

static inline uint64_t made_queue(struct made_runtime *made, const uint64_t *tables)
{
	enum { FROZEN = 2 * 8 };
	uint64_t queue = made_object(made, tables[MADE_QUEUE], 4), further = made_array(made, 0, 0);
	uint64_t first = made_part(made, tables[MADE_PART], 8, 3, 8 + FROZEN), second = made_part(made, tables[MADE_PART], 16, 0, 2);
	uint64_t empty = made_part(made, tables[MADE_PART], 32, 64, 64);
	made_u64(made, made_at(first, 2), second);
	made->pool.part = first;
	made->pool.ends = made_at(first, 3);
	made->pool.list = made_list(made, tables[MADE_LIST], first, second);
	made_u64(made, made_at(queue, 0), made->pool.list);
	made_u64(made, made_at(queue, 1), made_list(made, tables[MADE_LIST], empty, empty));
	made_u64(made, made_at(queue, 3), further);
	return queue;
}

/* Instances of generic types that a module has: one bucket of two. */
static inline uint64_t made_instances(struct made_runtime *made, uint64_t first, uint64_t second)
{
	uint64_t table = made_room(made, MADE_THING), buckets = made_room(made, 4 * 8);
	uint64_t entries[] = { made_room(made, MADE_THING), made_room(made, MADE_THING) };
	made_field(made, table, NT_OFF_INSTANCES_BUCKETS, buckets);
	made_u64(made, buckets, 1);
	made_u64(made, buckets + 3 * 8, entries[0]);
	made_field(made, entries[0], NT_OFF_INSTANCE_VALUE, first | 1);
	made_field(made, entries[0], NT_OFF_INSTANCE_NEXT, entries[1]);
	made_field(made, entries[1], NT_OFF_INSTANCE_VALUE, second);
	made_field(made, entries[1], NT_OFF_INSTANCE_NEXT, 3);
	return table;
}

/* The list of modules: the place of one that was unloaded, then this one. Returns the cell that leads to it. */
static inline uint64_t made_modules(struct made_runtime *made, uint64_t module)
{
	uint64_t cell = made_room(made, 8), domain = made_room(made, (size_t)4 * MADE_THING), assembly = made_room(made, MADE_THING),
		 item = made_room(made, 8);
	uint64_t list = domain + made_offset(NT_OFF_DOMAIN_ASSEMBLIES), block = list + made_offset(NT_OFF_LIST_FIRST);
	made_u64(made, cell, domain);
	made_field(made, list, NT_OFF_LIST_COUNT, 2);
	made_field(made, block, NT_OFF_BLOCK_COUNT, 5);
	made_u64(made, block + made_offset(NT_OFF_BLOCK_ITEMS) + 8, item);
	made_u64(made, item, assembly);
	made_field(made, assembly, NT_OFF_ASSEMBLY_MODULE, module);
	return cell;
}

/* Returns the cell that leads to the type of System.Object; *domain: that of the list of modules. */
static inline uint64_t made_pool(struct made_runtime *made, uint64_t *domain)
{
	uint64_t map, tables[MADE_TYPES], statics[MADE_TYPES], cell = made_room(made, 8), object = made_room(made, MADE_THING);
	uint64_t module = made_core(made, &map);
	made_u64(made, cell, object);
	made_field(made, object, NT_OFF_TABLE_MODULE, module);
	made_field(made, object, NT_OFF_TABLE_CLASS, object);
	for (unsigned i = 0; i < MADE_TYPES; i++) {
		statics[i] = made_room(made, 8);
		tables[i] = made_table(made, module, i, object, statics[i]);
		if (i != MADE_LIST && i != MADE_PART) /* generic: the map has none of their instances */
			made_u64(made, map + (i + MADE_FIRST_RID) * sizeof(uint64_t), tables[i] | 1);
	}
	tables[MADE_LIST] = made_instance(made, module, MADE_LIST, object, tables[MADE_LIST]);
	made->pool.instance = statics[MADE_POOL];
	made_u64(made, statics[MADE_POOL], made_workers(made, tables));
	made_u64(made, statics[MADE_PUBLIC], made_queue(made, tables));
	made->pool.locals = made_array(made, 2, 2);
	made->pool.local = made_local(made, tables[MADE_LOCAL], 7, 10);
	made_u64(made, made->pool.locals + MADE_ARRAY_HEAD, made->pool.local);
	made_u64(made, made->pool.locals + MADE_ARRAY_HEAD + 8, made_local(made, tables[MADE_LOCAL], 5, 4)); /* one is being taken */
	made_u64(made, statics[MADE_LOCALS], made->pool.locals);
	made_field(made, module, NT_OFF_MODULE_INSTANCES, made_instances(made, tables[MADE_LIST], tables[MADE_PUBLIC]));
	*domain = made_modules(made, module);
	return cell;
}

#endif
