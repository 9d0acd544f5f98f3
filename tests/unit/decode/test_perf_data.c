// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/perf_data/perf_data.h"
#include "decode/perf_data/perf_data_events.h"
#include "decode/perf_data/perf_data_facts.h"

#include <string.h>

enum { PID = 4711, TID = 4712, ID = 77, OTHER_ID = 78 };

struct bytes {
	uint8_t at[1024];
	size_t length;
};

static void put(struct bytes *out, const void *data, size_t size)
{
	assert_true(out->length + size <= sizeof(out->at));
	memcpy(out->at + out->length, data, size);
	out->length += size;
}

static void put_u32(struct bytes *out, uint32_t value)
{
	put(out, &value, sizeof(value));
}

static void put_u64(struct bytes *out, uint64_t value)
{
	put(out, &value, sizeof(value));
}

/* As perf writes texts: with the length before them, padded. */
static void put_text(struct bytes *out, const char *text, uint32_t padded)
{
	char field[64] = { 0 };
	memcpy(field, text, strlen(text));
	put_u32(out, padded);
	put(out, field, padded);
}

static struct bytes record(uint32_t type, uint16_t misc)
{
	struct bytes made = { .length = 8 };
	memcpy(made.at, &type, sizeof(type));
	memcpy(made.at + 4, &misc, sizeof(misc));
	return made;
}

static struct bytes *sized(struct bytes *made)
{
	uint16_t size = (uint16_t)made->length;
	memcpy(made->at + 6, &size, sizeof(size));
	return made;
}

static struct bytes head(uint64_t size, uint64_t attr_size, uint64_t data_offset, uint64_t data_size)
{
	struct bytes made = { 0 };
	put(&made, "PERFILE2", 8);
	put_u64(&made, size);
	put_u64(&made, attr_size);
	put_u64(&made, 104);
	put_u64(&made, attr_size);
	put_u64(&made, data_offset);
	put_u64(&made, data_size);
	put_u64(&made, 0);
	put_u64(&made, 0);
	put_u64(&made, 1 << NT_PERF_DATA_HOSTNAME);
	for (int i = 0; i < 3; i++)
		put_u64(&made, 0);
	return made;
}

static void test_heads(void **state)
{
	(void)state;
	struct bytes made = head(104, 144, 376, 1000);
	assert_int_equal(made.length, NT_PERF_DATA_HEAD_MAX);
	struct nt_perf_data_head read = nt_perf_data_head_read(made.at, made.length);
	assert_int_equal(read.form, NT_PERF_DATA_FILE);
	assert_int_equal(read.attrs.offset, 104);
	assert_int_equal(read.data.offset, 376);
	assert_int_equal(read.data.size, 1000);
	assert_int_equal(read.features, 1 << NT_PERF_DATA_HOSTNAME);
	for (size_t cut = 16; cut < 80; cut++)
		assert_int_equal(nt_perf_data_head_read(made.at, cut).form, NT_PERF_DATA_BROKEN);
	assert_int_equal(nt_perf_data_head_read(made.at, 7).form, NT_PERF_DATA_NONE);

	made = head(16, 144, 376, 1000);
	read = nt_perf_data_head_read(made.at, made.length);
	assert_int_equal(read.form, NT_PERF_DATA_PIPE);
	assert_int_equal(read.data.offset, 16);

	made = head(104, 79, 376, 1000); /* no attribute is so short */
	assert_int_equal(nt_perf_data_head_read(made.at, made.length).form, NT_PERF_DATA_BROKEN);
	made = head(104, 144, UINT64_MAX, 2);
	assert_int_equal(nt_perf_data_head_read(made.at, made.length).form, NT_PERF_DATA_BROKEN);
	assert_int_equal(nt_perf_data_head_read((const uint8_t *)"2ELIFREP", 8).form, NT_PERF_DATA_SWAPPED);
	assert_int_equal(nt_perf_data_head_read((const uint8_t *)"PERFFILE", 8).form, NT_PERF_DATA_OLD);
	assert_int_equal(nt_perf_data_head_read((const uint8_t *)"PERFILE3", 8).form, NT_PERF_DATA_NONE);
}

static void test_steps(void **state)
{
	(void)state;
	struct bytes made = record(PERF_RECORD_LOST, 0);
	put_u64(&made, 0);
	struct nt_perf_data_step step = nt_perf_data_step_read(sized(&made)->at, made.length);
	assert_int_equal(step.size, 16);
	assert_int_equal(step.type, PERF_RECORD_LOST);

	/* With something behind them that their size does not count. */
	made = record(NT_PERF_DATA_TRACING, 0);
	put_u32(&made, 13);
	put_u32(&made, 0);
	assert_int_equal(nt_perf_data_step_read(sized(&made)->at, made.length).size, 16 + 16);
	made = record(NT_PERF_DATA_AUXTRACE, 0);
	put_u64(&made, 100);
	assert_int_equal(nt_perf_data_step_read(sized(&made)->at, made.length).payload, 100);
	made = record(NT_PERF_DATA_AUXTRACE, 0);
	put_u64(&made, UINT64_MAX);
	assert_int_equal(nt_perf_data_step_read(sized(&made)->at, made.length).size, 0);

	made = record(PERF_RECORD_LOST, 0); /* of no size: nobody could go on */
	assert_int_equal(nt_perf_data_step_read(made.at, made.length).size, 0);
	assert_int_equal(nt_perf_data_step_read(made.at, 7).size, 0);

	size_t offset, size;
	made = record(NT_PERF_DATA_COMPRESSED, 0);
	put(&made, "packed", 6);
	assert_true(nt_perf_data_packed(sized(&made)->at, made.length, &offset, &size));
	assert_int_equal(offset, 8);
	assert_int_equal(size, 6);
	made = record(NT_PERF_DATA_COMPRESSED2, 0);
	put_u64(&made, 6);
	put(&made, "packed..", 8);
	assert_true(nt_perf_data_packed(sized(&made)->at, made.length, &offset, &size));
	assert_int_equal(offset, 16);
	assert_int_equal(size, 6);
	assert_false(nt_perf_data_packed(made.at, 20, &offset, &size));
}

/* ---- events ---- */

static struct perf_event_attr attr_of(uint64_t sample_type)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr), .sample_type = sample_type, .sample_id_all = 1
	};
}

static bool add(struct nt_perf_data_events *events, const struct perf_event_attr *attr, uint64_t id)
{
	return nt_perf_data_events_add(events, (const uint8_t *)attr, sizeof(*attr), (const uint8_t *)&id, sizeof(id));
}

/* What perf record -g asks for, and everything else that may stand before the chain. */
static void test_whatever_a_sample_has(void **state)
{
	(void)state;
	const uint64_t plain = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD;
	static const uint64_t more[] = { 0,
					 PERF_SAMPLE_IDENTIFIER,
					 PERF_SAMPLE_ADDR,
					 PERF_SAMPLE_ID,
					 PERF_SAMPLE_STREAM_ID,
					 PERF_SAMPLE_CPU,
					 PERF_SAMPLE_READ,
					 PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
						 PERF_SAMPLE_READ };
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++) {
		struct nt_perf_data_events events = { 0 };
		struct perf_event_attr attr = attr_of(plain | more[i]);
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
		assert_true(add(&events, &attr, ID));
		struct bytes made = record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		if (more[i] & PERF_SAMPLE_IDENTIFIER)
			put_u64(&made, ID);
		put_u64(&made, 0x1000);
		put_u32(&made, PID);
		put_u32(&made, TID);
		put_u64(&made, 123456789);
		if (more[i] & PERF_SAMPLE_ADDR)
			put_u64(&made, 1);
		if (more[i] & PERF_SAMPLE_ID)
			put_u64(&made, ID);
		if (more[i] & PERF_SAMPLE_STREAM_ID)
			put_u64(&made, 2);
		if (more[i] & PERF_SAMPLE_CPU)
			put_u64(&made, 3);
		put_u64(&made, 10101010);
		if (more[i] & PERF_SAMPLE_READ) { /* a group of two, with the time that it was on */
			put_u64(&made, 2);
			for (int word = 0; word < 1 + 2 * 2; word++)
				put_u64(&made, 9);
		}
		put_u64(&made, 2);
		put_u64(&made, (uint64_t)PERF_CONTEXT_USER);
		put_u64(&made, 0x1000);
		struct nt_perf_record out;
		const struct nt_perf_data_event *event;
		assert_int_equal(nt_perf_data_parse(&events, sized(&made)->at, made.length, &out, &event), NT_OK);
		assert_int_equal(out.pid, PID);
		assert_int_equal(out.tid, TID);
		assert_int_equal(out.time, 123456789);
		assert_int_equal(out.sample.period, 10101010);
		assert_int_equal(out.sample.chain_count, 2);
		assert_int_equal(out.sample.cpu, more[i] & PERF_SAMPLE_CPU ? 3 : 0);
		for (size_t cut = made.length - 8; cut >= 8; cut -= 8) {
			struct bytes shorter = made;
			shorter.length = cut;
			assert_int_equal(nt_perf_data_parse(&events, sized(&shorter)->at, cut, &out, &event), NT_ERR_MALFORMED);
		}
		nt_perf_data_events_fini(&events);
	}
}

/* Two events of different forms: each record is read in that of its own. */
static void test_the_event_of_a_record(void **state)
{
	(void)state;
	struct nt_perf_data_events events = { 0 };
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME);
	assert_true(add(&events, &attr, ID));
	attr = attr_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	assert_true(add(&events, &attr, OTHER_ID));

	struct bytes made = record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put_u64(&made, OTHER_ID);
	put_u64(&made, 0xffffffff81000000);
	put_u32(&made, PID);
	put_u32(&made, TID);
	struct nt_perf_record out;
	const struct nt_perf_data_event *event;
	assert_int_equal(nt_perf_data_parse(&events, sized(&made)->at, made.length, &out, &event), NT_OK);
	assert_ptr_equal(event, &events.items[1]);
	assert_int_equal(out.sample.ip, 0xffffffff81000000);
	assert_int_equal(out.pid, PID);
	assert_true(out.time == NT_TIME_UNKNOWN);

	const uint64_t nobodys = 99;
	memcpy(made.at + 8, &nobodys, sizeof(nobodys));
	assert_int_equal(nt_perf_data_parse(&events, made.at, made.length, &out, &event), NT_ERR_MALFORMED);

	/* perf's own records have no id: they are of the first one's form. */
	made = record(PERF_RECORD_COMM, 0);
	put_u32(&made, PID);
	put_u32(&made, PID);
	put(&made, "dotnet\0", 8);
	put_u32(&made, PID);
	put_u32(&made, PID);
	put_u64(&made, 5);
	put_u64(&made, 0);
	assert_int_equal(nt_perf_data_parse(&events, sized(&made)->at, made.length, &out, &event), NT_OK);
	assert_ptr_equal(event, &events.items[0]);
	assert_int_equal(out.time, 5);
	assert_int_equal(out.comm.name_length, 6);
	nt_perf_data_events_fini(&events);
	assert_int_equal(nt_perf_data_parse(&events, made.at, made.length, &out, &event), NT_ERR_MALFORMED);
}

static void test_maps_of_both_sorts(void **state)
{
	(void)state;
	struct nt_perf_data_events events = { 0 };
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_TIME);
	assert_true(add(&events, &attr, ID));
	static const uint8_t id[NT_PERF_BUILD_ID_MAX] = { 0xab, 0xcd };
	struct bytes made = record(PERF_RECORD_MMAP2, 1 << 14 /* with a build id */);
	put_u32(&made, PID);
	put_u32(&made, TID);
	put_u64(&made, 0x7000);
	put_u64(&made, 0x1000);
	put_u64(&made, 0x200);
	put_u32(&made, NT_PERF_BUILD_ID_MAX);
	put(&made, id, sizeof(id));
	put_u32(&made, 4 | 1);
	put_u32(&made, 2);
	put(&made, "/lib/x\0", 8);
	put_u64(&made, 0);
	struct nt_perf_record out;
	const struct nt_perf_data_event *event;
	assert_int_equal(nt_perf_data_parse(&events, sized(&made)->at, made.length, &out, &event), NT_OK);
	assert_int_equal(out.map.build_id_length, NT_PERF_BUILD_ID_MAX);
	assert_memory_equal(out.map.build_id, id, sizeof(id));
	assert_int_equal(out.map.inode, 0);
	assert_true(out.map.exec);

	made = record(PERF_RECORD_MMAP, 0);
	put_u32(&made, UINT32_MAX);
	put_u32(&made, 0);
	put_u64(&made, 0xffffffff81000000);
	put_u64(&made, 0x1000);
	put_u64(&made, 0xffffffff81000000);
	put(&made, "[kernel.kallsyms]_text\0", 24);
	put_u64(&made, 0);
	assert_int_equal(nt_perf_data_parse(&events, sized(&made)->at, made.length, &out, &event), NT_OK);
	assert_int_equal(out.map.name_length, strlen("[kernel.kallsyms]_text"));
	assert_true(out.map.exec);
	nt_perf_data_events_fini(&events);
}

/* perf record --call-graph dwarf: the chain of the kernel, registers, a copy of the stack. */
static void test_registers_by_their_number(void **state)
{
	(void)state;
	enum { BP = 6, SP = 7, IP = 8 };
	struct nt_perf_data_events events = { 0 };
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr.sample_regs_user = 0xff0fff;
	attr.exclude_callchain_user = 1;
	assert_true(add(&events, &attr, ID));
	assert_true(events.items[0].user_chain_left_out);
	struct bytes made = record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u32(&made, PID);
	put_u32(&made, TID);
	put_u64(&made, 0);
	put_u64(&made, PERF_SAMPLE_REGS_ABI_64);
	for (uint64_t i = 0; i < 20; i++)
		put_u64(&made, 100 + i);
	put_u64(&made, 16);
	put_u64(&made, 1);
	put_u64(&made, 2);
	put_u64(&made, 16);
	struct nt_perf_record out;
	const struct nt_perf_data_event *event;
	uint64_t value;
	assert_int_equal(nt_perf_data_parse(&events, sized(&made)->at, made.length, &out, &event), NT_OK);
	assert_int_equal(out.sample.stack_bytes, 16);
	assert_true(nt_perf_user_reg(&event->form, &out, IP, &value));
	assert_int_equal(value, 100 + IP);
	assert_true(nt_perf_user_reg(&event->form, &out, 16, &value)); /* the four in between are not there */
	assert_int_equal(value, 112);
	assert_false(nt_perf_user_reg(&event->form, &out, 12, &value));
	nt_perf_data_events_fini(&events);
}

static void test_what_a_sample_stands_for(void **state)
{
	(void)state;
	const struct nt_perf_data_event clock = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .period = 99, .by_frequency = true
	};
	assert_int_equal(nt_perf_data_event_weight_ns(&clock, 10101010), 10101010);
	assert_int_equal(nt_perf_data_event_weight_ns(&clock, 0), 10101010);
	const struct nt_perf_data_event every_ms = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .period = 1000000 };
	assert_int_equal(nt_perf_data_event_weight_ns(&every_ms, 0), 1000000);
	struct nt_perf_data_event cycles = {
		.type = PERF_TYPE_HARDWARE, .config = UINT64_C(4) << 32, .period = 1000, .by_frequency = true
	};
	assert_int_equal(nt_perf_data_event_weight_ns(&cycles, 2345678), 1000000);
	cycles.by_frequency = false; /* nobody knows how long a cycle took */
	assert_int_equal(nt_perf_data_event_weight_ns(&cycles, 1000000), 0);
	const struct nt_perf_data_event faults = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .period = 99, .by_frequency = true
	};
	assert_int_equal(nt_perf_data_event_weight_ns(&faults, 1), 0);
}

static void test_attributes_that_cannot_be(void **state)
{
	(void)state;
	struct nt_perf_data_events events = { 0 };
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_TID);
	assert_false(nt_perf_data_events_add(&events, (const uint8_t *)&attr, 63, NULL, 0));
	assert_true(nt_perf_data_events_add(&events, (const uint8_t *)&attr, 64, NULL, 0));
	struct bytes made = record(NT_PERF_DATA_ATTR, 0);
	put(&made, &attr, sizeof(attr));
	put_u64(&made, ID);
	assert_true(nt_perf_data_events_add_record(&events, sized(&made)->at, made.length));
	assert_int_equal(nt_index_get(&events.of_id, ID), 1);
	assert_false(nt_perf_data_events_add_record(&events, made.at, made.length - 16)); /* shorter than it says */
	nt_perf_data_events_fini(&events);
}

/* ---- facts ---- */

static void test_facts(void **state)
{
	(void)state;
	struct nt_perf_data_facts facts = { 0 };
	struct bytes made = { 0 };
	put_text(&made, "host.example", 64);
	nt_perf_data_facts_take(&facts, NT_PERF_DATA_HOSTNAME, made.at, made.length);
	assert_string_equal(facts.host, "host.example");
	nt_perf_data_facts_take(&facts, NT_PERF_DATA_OSRELEASE, made.at, 20); /* cut: what cannot be is left out */
	assert_string_equal(facts.release, "");

	made.length = 0;
	put_u32(&made, 3);
	put_text(&made, "perf", 16);
	put_text(&made, "record", 16);
	put_text(&made, "-g", 16);
	nt_perf_data_facts_take(&facts, NT_PERF_DATA_CMDLINE, made.at, made.length);
	assert_string_equal(facts.command, "perf record -g");

	made.length = 0;
	put_u32(&made, 8);
	put_u32(&made, 6);
	nt_perf_data_facts_take(&facts, NT_PERF_DATA_NRCPUS, made.at, made.length);
	assert_int_equal(facts.cpu_count, 6);

	made.length = 0;
	put_u32(&made, 1);
	put_u32(&made, 1);
	put_u64(&made, 1700000000000000000);
	put_u64(&made, 5000000000);
	nt_perf_data_facts_take(&facts, NT_PERF_DATA_CLOCK_DATA, made.at, made.length - 1);
	assert_false(facts.has_clock);
	nt_perf_data_facts_take(&facts, NT_PERF_DATA_CLOCK_DATA, made.at, made.length);
	assert_true(facts.has_clock);
	assert_int_equal(facts.wall_ns, 1700000000000000000);
	assert_int_equal(facts.clock_ns, 5000000000);
}

static void test_names_of_events(void **state)
{
	(void)state;
	struct nt_perf_data_events events = { 0 };
	struct perf_event_attr attr = attr_of(PERF_SAMPLE_TID);
	assert_true(add(&events, &attr, ID) && add(&events, &attr, OTHER_ID));
	struct bytes made = { 0 };
	put_u32(&made, 2);
	put_u32(&made, sizeof(attr));
	for (int i = 0; i < 2; i++) {
		put(&made, &attr, sizeof(attr));
		put_u32(&made, 1);
		put_text(&made, i ? "page-faults" : "cpu-clock:ppp", 16);
		put_u64(&made, ID);
	}
	nt_perf_data_events_name(&events, made.at, made.length);
	assert_string_equal(events.items[0].name, "cpu-clock:ppp");
	assert_string_equal(events.items[1].name, "page-faults");
	nt_perf_data_events_fini(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_whatever_a_sample_has),
		cmocka_unit_test(test_the_event_of_a_record),
		cmocka_unit_test(test_maps_of_both_sorts),
		cmocka_unit_test(test_registers_by_their_number),
		cmocka_unit_test(test_what_a_sample_stands_for),
		cmocka_unit_test(test_attributes_that_cannot_be),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_names_of_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
