// SPDX-License-Identifier: GPL-2.0-only
/* What a reader says that somebody has taken over: nettop takes what is within bounds, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/clock.h"
#include "decode/contract/contract_heap.h"
#include "decode/core/core_file.h"
#include "source/contract/contract_reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FORGED = 20000 };

static struct nt_reader reader;
static int other_end;
static unsigned long seed;

static int setup(void **state)
{
	int ends[2];
	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	/* Any pid says that there is one; nothing here ends it. */
	reader = (struct nt_reader){ .child = { .pid = getpid(), .pidfd = -1, .fd = ends[0] } };
	other_end = ends[1];
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close(reader.child.fd);
	close(other_end);
	return 0;
}

static uint32_t draw(void)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (uint32_t)(seed >> 33);
}

static void say(const void *packet, size_t length)
{
	assert_int_equal(send(other_end, packet, length, MSG_NOSIGNAL), length);
}

static size_t append(uint8_t *packet, size_t length, const void *record, size_t size)
{
	memcpy(packet + length, record, size);
	return length + size;
}

static const char type[] = "Shop.Cart+Line`1[System.Int32]xx"; /* likewise */
static const char name[] = "void [a] B::C()[Tier0]xx";         /* a multiple of 4 bytes, as forging goes by words */
static const char path[] = "/usr/lib/a.so.12";                 /* likewise */

/* CORE, FILE, FITS, STACK, PERSON, HEAPED and OBJECTS: the seven that the reader of a core says besides. */
static size_t add_core(uint8_t *packet, size_t length)
{
	const struct nt_reader_core core = {
		.what = NT_READER_CORE, .pid = 7, .thread_count = 1, .signal = 6, .signal_tid = 7, .name = "shop"
	};
	const struct nt_reader_file file = {
		.what = NT_READER_FILE, .path_length = sizeof(path) - 1, .start = 0x1000, .end = 0x2000, .id_length = 20
	};
	const struct nt_reader_fits fits = { .what = NT_READER_FITS, .fit = NT_READER_FITS_WELL };
	const struct nt_reader_stack stack = { .what = NT_READER_STACK, .tid = 7, .count = 2, .whole = 1, .managed_whole = 1, .call = -1 };
	const uint64_t frames[2] = { 1, 2 };
	length = append(packet, length, &core, sizeof(core));
	length = append(packet, length, &file, sizeof(file));
	length = append(packet, length, path, sizeof(path) - 1);
	length = append(packet, length, &fits, sizeof(fits));
	length = append(packet, length, &stack, sizeof(stack));
	const struct nt_reader_person person = { .what = NT_READER_PERSON, .tid = 7, .name_length = 8, .message_length = 8 };
	length = append(packet, length, frames, sizeof(frames));
	length = append(packet, length, &person, sizeof(person));
	length = append(packet, length, path, 16);
	const struct nt_reader_heaped heaped = { .what = NT_READER_HEAPED, .read_bytes = 0x4000, .of_bytes = 0x5000 };
	const struct nt_reader_objects objects = {
		.what = NT_READER_OBJECTS, .length = sizeof(type) - 1, .type = 0x7f00, .count = 3, .bytes = 72
	};
	length = append(packet, length, &heaped, sizeof(heaped));
	length = append(packet, length, &objects, sizeof(objects));
	return append(packet, length, type, sizeof(type) - 1);
}

/* STATE, two THREADs with frames and a type, a COPIED, END, a NAMED, one without a name, two of passing code, a TYPED, an IL_MAP and one of what has none, two POOLED, an ALLOCATED, two RULED, what is of a core: what a good one says. */
static size_t good_packet(uint8_t *packet)
{
	const struct nt_reader_state said = { .what = NT_READER_STATE, .threads = 1, .stacks = 1, .reason = "none" };
	const struct nt_reader_thread thread = {
		.what = NT_READER_THREAD, .tid = 7, .how = NT_READER_WHOLE, .count = 3, .type_length = sizeof(type) - 1
	};
	const struct nt_reader_copied copied = { .what = NT_READER_COPIED, .length = 24, .address = 0x7f00 };
	const struct nt_reader_end end = { .what = NT_READER_END, .whole = 1 };
	const uint64_t frames[3] = { 1, 2, 3 };
	size_t length = append(packet, 0, &said, sizeof(said));
	for (int i = 0; i < 2; i++) {
		length = append(packet, length, &thread, sizeof(thread));
		length = append(packet, length, frames, sizeof(frames));
		length = append(packet, length, type, sizeof(type) - 1);
	}
	length = append(packet, length, &copied, sizeof(copied));
	length = append(packet, length, frames, sizeof(frames));
	length = append(packet, length, &end, sizeof(end));
	const struct nt_reader_named named = {
		.what = NT_READER_NAMED, .address = 0x1010, .start = 0x1000, .size = 0x20, .length = sizeof(name) - 1
	};
	const struct nt_reader_named none = { .what = NT_READER_NAMED, .naming = NT_READER_NAME_NONE, .address = 0x3000 };
	length = append(packet, length, &named, sizeof(named));
	length = append(packet, length, name, sizeof(name) - 1);
	length = append(packet, length, &none, sizeof(none));
	const struct nt_reader_named now = { .what = NT_READER_NAMED,
					     .naming = NT_READER_NAME_NOW,
					     .address = 0x11000,
					     .start = 0x11000,
					     .size = 0x20,
					     .length = sizeof(name) - 1 };
	length = append(packet, length, &now, sizeof(now));
	length = append(packet, length, name, sizeof(name) - 1);
	const struct nt_reader_named passing = {
		.what = NT_READER_NAMED, .naming = NT_READER_NAME_PASSING, .address = 0x11000, .start = 0x10000, .size = 0x8000
	};
	length = append(packet, length, &passing, sizeof(passing));
	const struct nt_reader_named typed = { .what = NT_READER_TYPED, .address = 0x40, .length = sizeof(type) - 1 };
	length = append(packet, length, &typed, sizeof(typed));
	length = append(packet, length, type, sizeof(type) - 1);
	const struct nt_reader_named field = { .what = NT_READER_STATIC, .address = 0x48, .length = sizeof(type) - 1 };
	length = append(packet, length, &field, sizeof(field));
	length = append(packet, length, type, sizeof(type) - 1);
	const struct nt_reader_il_map map = { .what = NT_READER_IL_MAP, .address = 0x1010, .start = 0x1000, .size = 0x20, .count = 3 };
	const uint32_t offsets[] = { 0, 1, 2, 0, 16, 32 };
	const struct nt_reader_il_map no_map = { .what = NT_READER_IL_MAP, .how = NT_READER_IL_NONE, .address = 0x1010 };
	length = append(packet, length, &map, sizeof(map));
	length = append(packet, length, offsets, sizeof(offsets));
	length = append(packet, length, &no_map, sizeof(no_map));
	const struct nt_reader_pooled pooled = { .what = NT_READER_POOLED,
						 .known = 1,
						 .working = 3,
						 .existing = 4,
						 .goal = 2,
						 .min = 2,
						 .max = NT_READER_WORKERS,
						 .queued_known = 1,
						 .queued = 100 };
	const struct nt_reader_pooled unknown = { .what = NT_READER_POOLED };
	length = append(packet, length, &pooled, sizeof(pooled));
	length = append(packet, length, &unknown, sizeof(unknown));
	const struct nt_reader_allocated allocated = { .what = NT_READER_ALLOCATED, .count = 2 };
	const struct nt_reader_thread_allocated rows[] = { { .tid = 7, .bytes = 100 }, { .tid = 8, .bytes = 0 } };
	length = append(packet, length, &allocated, sizeof(allocated));
	length = append(packet, length, rows, sizeof(rows));
	const struct nt_reader_ruled ruled = {
		.what = NT_READER_RULED, .known = 1, .address = 0x1010, .start = 0x1000, .end = 0x1020, .cfa_reg = 7, .cfa_offset = 16
	};
	const struct nt_reader_ruled no_rule = { .what = NT_READER_RULED, .address = 0x3000 };
	length = append(packet, length, &ruled, sizeof(ruled));
	length = append(packet, length, &no_rule, sizeof(no_rule));
	return add_core(packet, length);
}

static void hold_named(const struct nt_reader_record *record)
{
	const struct nt_reader_named *named = &record->named;
	bool now = named->naming == NT_READER_NAME_NOW, told = named->naming == NT_READER_NAME_TOLD || now,
	     passing = named->naming == NT_READER_NAME_PASSING;
	assert_in_range(named->naming, 0, NT_READER_NAMING_COUNT - 1);
	assert_in_range(named->length, told && !now ? 1 : 0, told ? NT_READER_NAME_MAX : 0);
	assert_true((const uint8_t *)record->name + named->length <= reader.packet + reader.length);
	if (told || passing)
		assert_true(named->size <= NT_READER_CODE_MAX && named->start <= named->address &&
			    named->address - named->start < named->size);
}

static void hold_typed(const struct nt_reader_record *record)
{
	const struct nt_reader_named *typed = &record->named;
	bool told = typed->naming == NT_READER_NAME_TOLD;
	assert_true(told || typed->naming == NT_READER_NAME_NONE || typed->naming == NT_READER_NAME_LATER);
	assert_in_range(typed->length, told ? 1 : 0, told ? NT_READER_TYPE_MAX : 0);
	assert_true((const uint8_t *)record->name + typed->length <= reader.packet + reader.length);
}

static void hold_pooled(const struct nt_reader_pooled *pooled)
{
	assert_in_range(pooled->known, 0, 1);
	assert_in_range(pooled->working, 0, pooled->existing);
	assert_in_range(pooled->existing, 0, pooled->known ? NT_READER_WORKERS : 0);
	assert_in_range(pooled->min, 0, pooled->max);
	assert_in_range(pooled->max, 0, pooled->known ? NT_READER_WORKERS : 0);
	assert_in_range(pooled->queued_known, 0, pooled->known);
	assert_true(pooled->queued_known || !pooled->queued);
}

static void hold_il_map(const struct nt_reader_record *record)
{
	const struct nt_reader_il_map *map = &record->il_map;
	assert_in_range(map->how, 0, NT_READER_IL_HOW_COUNT - 1);
	assert_in_range(map->count, 0, map->how == NT_READER_IL_TOLD ? NT_READER_IL_MOST : 0);
	assert_true(record->offsets + map->count * 2 * sizeof(uint32_t) <= reader.packet + reader.length);
	if (map->how == NT_READER_IL_TOLD)
		assert_true(map->size <= NT_READER_CODE_MAX && map->start <= map->address && map->address - map->start < map->size);
}

static void hold_ruled(const struct nt_reader_ruled *ruled)
{
	assert_in_range(ruled->known, 0, 1);
	assert_in_range(ruled->cfa_reg, 0, NT_REG_COUNT - 1);
	assert_in_range(ruled->cfa_is_word_there, 0, 1);
	if (ruled->known || ruled->start || ruled->end)
		assert_true(ruled->start <= ruled->address && ruled->address < ruled->end);
}

static bool hold_core(const struct nt_reader_record *record)
{
	const uint8_t *end = reader.packet + reader.length;
	switch (record->what) {
	case NT_READER_CORE:
		assert_in_range(record->core.result, 0, NT_CORE_RESULTS - 1);
		assert_non_null(memchr(record->core.name, '\0', sizeof(record->core.name)));
		return true;
	case NT_READER_FILE:
		assert_true(record->file.start < record->file.end);
		assert_in_range(record->file.id_length, 0, sizeof(record->file.id));
		assert_in_range(record->file.path_length, 1, NT_CORE_PATH_MAX - 1);
		assert_true((const uint8_t *)record->name + record->file.path_length <= end);
		return true;
	case NT_READER_FITS:
		assert_in_range(record->fits.fit, 0, NT_READER_FIT_COUNT - 1);
		return true;
	case NT_READER_STACK:
		assert_in_range(record->stack.count, 0, NT_READER_STACK_MOST);
		assert_true(record->frames + record->stack.count * sizeof(uint64_t) <= end);
		return true;
	case NT_READER_PERSON:
		assert_in_range(record->person.name_length, 0, NT_READER_THREAD_NAME);
		assert_in_range(record->person.type_length, 0, NT_READER_TYPE_MAX);
		assert_in_range(record->person.message_length, 0, NT_READER_MESSAGE);
		assert_true((const uint8_t *)record->name + record->person.name_length + record->person.type_length +
				    record->person.message_length <=
			    end);
		return true;
	case NT_READER_HEAPED:
		assert_in_range(record->heaped.result, 0, NT_CONTRACT_HEAP_RESULTS - 1);
		assert_true(record->heaped.read_bytes <= record->heaped.of_bytes);
		return true;
	case NT_READER_OBJECTS:
		assert_in_range(record->objects.length, 0, NT_READER_TYPE_MAX);
		assert_true(record->objects.count && record->objects.count <= record->objects.bytes);
		assert_in_range(record->objects.number, 0, NT_READER_OBJECT_TYPES - 1);
		assert_true((const uint8_t *)record->name + record->objects.length <= end);
		return true;
	case NT_READER_NODES:
		assert_true(record->bytes + record->list.count * sizeof(struct nt_reader_node) <= end);
		return true;
	case NT_READER_EDGES:
	case NT_READER_ROOTS:
	case NT_READER_PAIRS:
		assert_in_range(record->list.kind, 0, NT_READER_ROOT_KINDS - 1);
		assert_true(record->bytes + record->list.count * sizeof(uint64_t) <= end);
		return true;
	case NT_READER_FIELD:
		assert_true(record->field.object && record->field.bytes && record->field.name_length);
		assert_true((const uint8_t *)record->name + record->field.owner_length + record->field.name_length <= end);
		return true;
	case NT_READER_ROOTED:
		assert_true(record->rooted.roots_whole <= 1 && record->rooted.statics_whole <= 1);
		return true;
	default:
		return false;
	}
}

static void hold(const struct nt_reader_record *record)
{
	if (hold_core(record))
		return;
	size_t frames = record->what == NT_READER_THREAD ? record->thread.count * sizeof(uint64_t) : 0;
	assert_true((record->what >= NT_READER_STATE && record->what <= NT_READER_END) || record->what == NT_READER_NAMED ||
		    record->what == NT_READER_TYPED || record->what == NT_READER_STATIC || record->what == NT_READER_POOLED ||
		    record->what == NT_READER_IL_MAP || record->what == NT_READER_COPIED || record->what == NT_READER_ALLOCATED ||
		    record->what == NT_READER_RULED);
	if (record->what == NT_READER_RULED)
		hold_ruled(&record->ruled);
	if (record->what == NT_READER_ALLOCATED) {
		assert_in_range(record->allocated.count, 0, NT_READER_ALLOCATED_MAX);
		assert_true(record->bytes + record->allocated.count * sizeof(struct nt_reader_thread_allocated) <=
			    reader.packet + reader.length);
	}
	if (record->what == NT_READER_COPIED) {
		assert_in_range(record->copied.length, 0, NT_READER_COPY_BYTES);
		assert_true(record->bytes + record->copied.length <= reader.packet + reader.length);
	}
	if (record->what == NT_READER_POOLED)
		hold_pooled(&record->pooled);
	if (record->what == NT_READER_IL_MAP)
		hold_il_map(record);
	if (record->what == NT_READER_TYPED || record->what == NT_READER_STATIC)
		hold_typed(record);
	if (record->what == NT_READER_NAMED)
		hold_named(record);
	if (record->what == NT_READER_STATE)
		assert_true(memchr(record->state.reason, '\0', sizeof(record->state.reason)) != NULL);
	if (record->what != NT_READER_THREAD)
		return;
	assert_in_range(record->thread.count, 0, NT_READER_FRAMES);
	assert_in_range(record->thread.how, 0, NT_READER_HOW_COUNT - 1);
	assert_true(record->frames >= reader.packet && record->frames + frames <= reader.packet + reader.length);
	assert_in_range(record->thread.type_length, 0, NT_READER_TYPE_MAX);
	assert_true((const uint8_t *)record->name + record->thread.type_length <= reader.packet + reader.length);
}

/* Takes all that one packet has. Returns how many records; *end: it was refused in the end. */
static unsigned take(bool *end)
{
	struct nt_reader_record record;
	enum nt_status status;
	unsigned taken = 0;
	while ((status = nt_reader_next(&reader, &record)) == NT_OK) {
		hold(&record);
		taken++;
	}
	*end = status == NT_END;
	assert_true(*end || status == NT_AGAIN);
	reader.length = reader.at = 0; /* as after nt_reader_end() */
	return taken;
}

static void what_is_said_is_taken(void **state)
{
	(void)state;
	uint8_t packet[4096];
	bool end;
	say(packet, good_packet(packet));
	assert_int_equal(take(&end), 25);
	assert_false(end);
}

static void a_packet_that_is_cut(void **state)
{
	(void)state;
	uint8_t packet[4096];
	size_t length = good_packet(packet);
	for (size_t cut = 1; cut < length; cut++) {
		bool end;
		say(packet, cut);
		assert_in_range(take(&end), 0, 24);
	}
}

static void forged_packets(void **state)
{
	(void)state;
	static uint8_t packet[4096];
	unsigned records = 0, refused = 0;
	for (unsigned i = 0; i < FORGED; i++) {
		size_t length = good_packet(packet);
		bool end;
		for (unsigned lies = 1 + draw() % 4; lies; lies--) {
			const uint32_t value = draw() % 3 ? draw() % 400 : draw() << 1;
			memcpy(packet + draw() % (length - 4) / 4 * 4, &value, sizeof(value));
		}
		say(packet, draw() % 4 ? length : 1 + draw() % length);
		records += take(&end);
		refused += end;
	}
	print_message("%u records taken, %u packets refused\n", records, refused);
	assert_true(records > FORGED / 4 && refused > FORGED / 8); /* else nothing was tried */
}

int main(void)
{
	seed = getenv("SEED") ? strtoul(getenv("SEED"), NULL, 10) : (unsigned long)nt_clock_now();
	print_message("SEED=%lu\n", seed);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_said_is_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(a_packet_that_is_cut, setup, teardown),
		cmocka_unit_test_setup_teardown(forged_packets, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
