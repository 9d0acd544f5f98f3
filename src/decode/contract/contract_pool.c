// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing is stopped for it. The counts of workers are one word, so they agree with each other; lists may change while they are added up, as they may for the program's own PendingWorkItemCount. The collector may
 * move objects meanwhile: each has to be of its type where it is looked at, and what led to them has to lead there still at the end.
 */
#include "decode/contract/contract_pool.h"

enum {
	LOOKS_MAX = 2,
	ROOTS_MAX = 8,
	PARTS_MAX = 1024, /* of one list; each is twice as long as the one before, up to PART_ITEMS_MAX */
	PART_ITEMS_MAX = 1 << 20,
	LOCAL_ITEMS_MAX = 1 << 28,
	LOCALS_MAX = 1 << 14, /* workers whose items are counted */
	FURTHER_MAX = 256,    /* lists that groups of workers share, on machines with many CPUs */
	COUNT_MAX = INT16_MAX,
	WORKING_SHIFT = 0, /* of the counts in one word: 16 bits each */
	EXISTING_SHIFT = 16,
	GOAL_SHIFT = 32,
};

static const char *const type_names[NT_POOL_TYPES] = {
	[NT_POOL_TYPE_POOL] = "System.Threading.PortableThreadPool",
	[NT_POOL_TYPE_COUNTS] = "System.Threading.PortableThreadPool+CacheLineSeparated",
	[NT_POOL_TYPE_PUBLIC] = "System.Threading.ThreadPool",
	[NT_POOL_TYPE_QUEUE] = "System.Threading.ThreadPoolWorkQueue",
	[NT_POOL_TYPE_LOCALS] = "System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList",
	[NT_POOL_TYPE_LOCAL] = "System.Threading.ThreadPoolWorkQueue+WorkStealingQueue",
	[NT_POOL_TYPE_LIST] = "System.Collections.Concurrent.ConcurrentQueue`1",
	[NT_POOL_TYPE_PART] = "System.Collections.Concurrent.ConcurrentQueueSegment`1",
	[NT_POOL_TYPE_ENDS] = "System.Collections.Concurrent.PaddedHeadAndTail",
};

static const struct {
	enum nt_pool_type of;
	struct nt_contract_field field;
} fields[NT_POOL_FIELDS] = {
	[NT_POOL_INSTANCE] = { NT_POOL_TYPE_POOL, { "ThreadPoolInstance", NT_FIELD_OBJECT, true } },
	[NT_POOL_MIN] = { NT_POOL_TYPE_POOL, { "_minThreads", NT_FIELD_I2, false } },
	[NT_POOL_MAX] = { NT_POOL_TYPE_POOL, { "_maxThreads", NT_FIELD_I2, false } },
	[NT_POOL_PADDED] = { NT_POOL_TYPE_POOL, { "_separated", NT_FIELD_VALUE, false } },
	[NT_POOL_COUNTS] = { NT_POOL_TYPE_COUNTS, { "counts", NT_FIELD_VALUE, false } },
	[NT_POOL_QUEUE] = { NT_POOL_TYPE_PUBLIC, { "s_workQueue", NT_FIELD_OBJECT, true } },
	[NT_POOL_QUEUE_USUAL] = { NT_POOL_TYPE_QUEUE, { "workItems", NT_FIELD_OBJECT, false } },
	[NT_POOL_QUEUE_HIGH] = { NT_POOL_TYPE_QUEUE, { "highPriorityWorkItems", NT_FIELD_OBJECT, false } },
	[NT_POOL_QUEUE_LOW] = { NT_POOL_TYPE_QUEUE, { "lowPriorityWorkItems", NT_FIELD_OBJECT, false } },
	[NT_POOL_QUEUE_FURTHER] = { NT_POOL_TYPE_QUEUE, { "_assignableWorkItemQueues", NT_FIELD_OBJECT, false } },
	[NT_POOL_LOCALS] = { NT_POOL_TYPE_LOCALS, { "s_queues", NT_FIELD_OBJECT, true } },
	[NT_POOL_LOCAL_ITEMS] = { NT_POOL_TYPE_LOCAL, { "m_array", NT_FIELD_OBJECT, false } },
	[NT_POOL_LOCAL_HEAD] = { NT_POOL_TYPE_LOCAL, { "m_headIndex", NT_FIELD_I4, false } },
	[NT_POOL_LOCAL_TAIL] = { NT_POOL_TYPE_LOCAL, { "m_tailIndex", NT_FIELD_I4, false } },
	[NT_POOL_LIST_HEAD] = { NT_POOL_TYPE_LIST, { "_head", NT_FIELD_OBJECT, false } },
	[NT_POOL_LIST_TAIL] = { NT_POOL_TYPE_LIST, { "_tail", NT_FIELD_OBJECT, false } },
	[NT_POOL_PART_SLOTS] = { NT_POOL_TYPE_PART, { "_slots", NT_FIELD_OBJECT, false } },
	[NT_POOL_PART_MASK] = { NT_POOL_TYPE_PART, { "_slotsMask", NT_FIELD_I4, false } },
	[NT_POOL_PART_ENDS] = { NT_POOL_TYPE_PART, { "_headAndTail", NT_FIELD_VALUE, false } },
	[NT_POOL_PART_NEXT] = { NT_POOL_TYPE_PART, { "_nextSegment", NT_FIELD_OBJECT, false } },
	[NT_POOL_PART_HEAD] = { NT_POOL_TYPE_ENDS, { "Head", NT_FIELD_I4, false } },
	[NT_POOL_PART_TAIL] = { NT_POOL_TYPE_ENDS, { "Tail", NT_FIELD_I4, false } },
};

/* One look. */
struct looking {
	struct nt_contract_pool *pool;
	struct nt_contract_modules *modules;
	const struct nt_contract *contract;
	struct nt_memory *memory;
	bool bad; /* something is not there, or not what it has to be */
	struct {
		uint64_t place, value;
	} roots[ROOTS_MAX]; /* what led to the objects */
	size_t root_count;
};

/* ---- types and fields ---- */

/* Types of which there are no instances of their own are found by their row; of generic ones the first object that is looked at shows which. */
static uint64_t table_of(struct looking *looking, enum nt_pool_type type)
{
	struct nt_contract_pool *pool = looking->pool;
	bool generic = type == NT_POOL_TYPE_LIST || type == NT_POOL_TYPE_PART;
	if (!pool->tables[type] && !generic)
		pool->tables[type] = nt_contract_table_of(looking->contract, pool->module, pool->rids[type]);
	return pool->tables[type];
}

static uint32_t offset_of(struct looking *looking, enum nt_pool_field field)
{
	struct nt_contract_pool *pool = looking->pool;
	if (!pool->has[field] && !looking->bad)
		pool->has[field] = nt_contract_find_field(looking->modules, table_of(looking, fields[field].of), &fields[field].field,
							  &pool->offsets[field]);
	looking->bad |= !pool->has[field];
	return pool->offsets[field];
}

static uint64_t within(struct looking *looking, uint64_t object, enum nt_pool_field field)
{
	return object + NT_CONTRACT_OBJECT_HEAD + offset_of(looking, field);
}

static uint64_t u64_at(struct looking *looking, uint64_t place)
{
	return looking->bad ? 0 : nt_memory_u64(looking->memory, place, &looking->bad);
}

static uint32_t u32_at(struct looking *looking, uint64_t place)
{
	return looking->bad ? 0 : nt_memory_u32(looking->memory, place, &looking->bad);
}

static uint16_t u16_at(struct looking *looking, uint64_t place)
{
	return looking->bad ? 0 : nt_memory_u16(looking->memory, place, &looking->bad);
}

/* Objects of `type` lie where they are said to. */
static void expect(struct looking *looking, uint64_t object, enum nt_pool_type type)
{
	struct nt_contract_pool *pool = looking->pool;
	uint64_t table = looking->bad ? 0 : nt_contract_type_of(looking->contract, object);
	if (table && !table_of(looking, type) && nt_contract_is_table_of(looking->contract, table, pool->module, pool->rids[type]))
		pool->tables[type] = table;
	looking->bad |= !table || table != pool->tables[type];
}

/* What leads to an object; it has to do so at the end, too. */
static uint64_t root(struct looking *looking, uint64_t place)
{
	uint64_t value = u64_at(looking, place);
	if (!looking->bad && looking->root_count < ROOTS_MAX) {
		looking->roots[looking->root_count].place = place;
		looking->roots[looking->root_count++].value = value;
	}
	return value;
}

static uint64_t root_of_type(struct looking *looking, enum nt_pool_field field)
{
	uint64_t statics = nt_contract_statics(looking->contract, table_of(looking, fields[field].of));
	uint32_t offset = offset_of(looking, field);
	looking->bad |= !statics;
	return root(looking, statics + offset);
}

/* The roots lead where they led. */
static bool is_still_so(struct looking *looking)
{
	nt_memory_forget(looking->memory);
	bool same = true, bad = false;
	for (size_t i = 0; i < looking->root_count && same; i++)
		same = nt_memory_u64(looking->memory, looking->roots[i].place, &bad) == looking->roots[i].value && !bad;
	return same;
}

static uint32_t array_length(struct looking *looking, uint64_t array)
{
	return u32_at(looking, nt_contract_place(looking->contract, array, NT_OFF_ARRAY_COUNT));
}

static uint64_t element(struct looking *looking, uint64_t array, uint32_t number)
{
	return u64_at(looking, array + looking->contract->layout.globals[NT_GLOBAL_ARRAY_DATA] + number * sizeof(uint64_t));
}

/* ---- workers ---- */

static void count_workers(struct looking *looking, struct nt_contract_pool_counts *out)
{
	uint64_t pool = root_of_type(looking, NT_POOL_INSTANCE);
	expect(looking, pool, NT_POOL_TYPE_POOL);
	uint64_t word = u64_at(looking, within(looking, pool, NT_POOL_PADDED) + offset_of(looking, NT_POOL_COUNTS));
	out->working = word >> WORKING_SHIFT & UINT16_MAX;
	out->existing = word >> EXISTING_SHIFT & UINT16_MAX;
	out->goal = word >> GOAL_SHIFT & UINT16_MAX;
	out->min = u16_at(looking, within(looking, pool, NT_POOL_MIN));
	out->max = u16_at(looking, within(looking, pool, NT_POOL_MAX));
	looking->bad |= out->working > out->existing || out->existing > COUNT_MAX || !out->goal || out->goal > COUNT_MAX || !out->min ||
			out->min > out->max || out->max > COUNT_MAX;
}

/* ---- items ---- */

/* A part is a ring. One that nobody may add to any more has its end moved on by twice its length. */
static uint32_t count_part(struct looking *looking, uint64_t part)
{
	uint32_t mask = u32_at(looking, within(looking, part, NT_POOL_PART_MASK)), length = mask + 1;
	uint64_t slots = u64_at(looking, within(looking, part, NT_POOL_PART_SLOTS)), ends = within(looking, part, NT_POOL_PART_ENDS);
	uint32_t head = u32_at(looking, ends + offset_of(looking, NT_POOL_PART_HEAD));
	uint32_t tail = u32_at(looking, ends + offset_of(looking, NT_POOL_PART_TAIL));
	looking->bad |= !length || length & mask || length > PART_ITEMS_MAX || array_length(looking, slots) != length;
	if (looking->bad || head == tail || head == tail - 2 * length)
		return 0;
	head &= mask;
	tail &= mask;
	return head < tail ? tail - head : length - head + tail;
}

static uint64_t count_list(struct looking *looking, uint64_t list)
{
	uint64_t items = 0;
	expect(looking, list, NT_POOL_TYPE_LIST);
	uint64_t part = u64_at(looking, within(looking, list, NT_POOL_LIST_HEAD));
	uint64_t last = u64_at(looking, within(looking, list, NT_POOL_LIST_TAIL));
	for (unsigned i = 0; !looking->bad; i++) {
		expect(looking, part, NT_POOL_TYPE_PART);
		items += count_part(looking, part);
		if (part == last)
			break;
		part = u64_at(looking, within(looking, part, NT_POOL_PART_NEXT));
		looking->bad |= i == PARTS_MAX;
	}
	return items;
}

/* Its ends count up; items that their own worker has taken out of the middle count until it comes to them. */
static uint64_t count_local(struct looking *looking, uint64_t local)
{
	expect(looking, local, NT_POOL_TYPE_LOCAL);
	uint32_t head = u32_at(looking, within(looking, local, NT_POOL_LOCAL_HEAD));
	uint32_t tail = u32_at(looking, within(looking, local, NT_POOL_LOCAL_TAIL));
	uint32_t length = array_length(looking, u64_at(looking, within(looking, local, NT_POOL_LOCAL_ITEMS)));
	int64_t items = (int64_t)(int32_t)tail - (int32_t)head;
	looking->bad |= length > LOCAL_ITEMS_MAX || items > (int64_t)length;
	return looking->bad || items < 0 ? 0 : (uint64_t)items;
}

static uint64_t count_locals(struct looking *looking)
{
	uint64_t locals = root_of_type(looking, NT_POOL_LOCALS), items = 0;
	uint32_t count = array_length(looking, locals);
	looking->bad |= count > LOCALS_MAX;
	for (uint32_t i = 0; i < count && !looking->bad; i++)
		items += count_local(looking, element(looking, locals, i));
	return items;
}

static uint64_t count_further(struct looking *looking, uint64_t queue)
{
	uint64_t further = u64_at(looking, within(looking, queue, NT_POOL_QUEUE_FURTHER)), items = 0;
	uint32_t count = array_length(looking, further);
	looking->bad |= count > FURTHER_MAX;
	for (uint32_t i = 0; i < count && !looking->bad; i++)
		items += count_list(looking, element(looking, further, i));
	return items;
}

static void count_items(struct looking *looking, struct nt_contract_pool_counts *out)
{
	uint64_t queue = root_of_type(looking, NT_POOL_QUEUE);
	expect(looking, queue, NT_POOL_TYPE_QUEUE);
	uint64_t items = count_list(looking, root(looking, within(looking, queue, NT_POOL_QUEUE_USUAL)));
	items += count_list(looking, root(looking, within(looking, queue, NT_POOL_QUEUE_HIGH)));
	uint64_t low = u64_at(looking, within(looking, queue, NT_POOL_QUEUE_LOW));
	if (low) /* a trial of the runtime's, which is off */
		items += count_list(looking, low);
	items += count_further(looking, queue) + count_locals(looking);
	/* A worker that has no list yet brings none: until the first one there is no type of them. */
	out->queued_known = !looking->bad;
	out->queued = looking->bad ? 0 : items;
}

/* ---- both ---- */

static void seek(struct nt_contract_pool *pool, struct nt_contract_modules *modules)
{
	pool->module = nt_contract_core(modules->contract);
	pool->sought = pool->module; /* else the runtime has not begun */
	if (pool->module && !nt_contract_find_types(modules, pool->module, type_names, NT_POOL_TYPES, pool->rids))
		pool->module = 0;
}

bool nt_contract_pool_read(struct nt_contract_pool *pool, struct nt_contract_modules *modules, struct nt_contract_pool_counts *out)
{
	if (!pool->sought)
		seek(pool, modules);
	for (unsigned i = 0; pool->module && i < LOOKS_MAX; i++) {
		struct looking looking = {
			.pool = pool, .modules = modules, .contract = modules->contract, .memory = modules->contract->memory
		};
		*out = (struct nt_contract_pool_counts){ 0 };
		nt_memory_forget(looking.memory);
		count_workers(&looking, out);
		if (looking.bad)
			continue;
		count_items(&looking, out);
		if (is_still_so(&looking))
			return true;
	}
	return false;
}
