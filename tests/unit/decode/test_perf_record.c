// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/codemap/map_name.h"
#include "decode/kernel/perf_record.h"
#include "nettop/event.h"

#include <string.h>

/* A record being written, as the kernel does. */
struct record {
	uint8_t bytes[1024];
	size_t length;
};

static void put(struct record *r, const void *data, size_t size)
{
	assert_true(r->length + size <= sizeof(r->bytes));
	if (size)
		memcpy(r->bytes + r->length, data, size);
	r->length += size;
	uint16_t total = (uint16_t)r->length;
	memcpy(r->bytes + 6, &total, sizeof(total));
}

static void put_u32(struct record *r, uint32_t value)
{
	put(r, &value, sizeof(value));
}

static void put_u64(struct record *r, uint64_t value)
{
	put(r, &value, sizeof(value));
}

static void put_text(struct record *r, const char *text)
{
	static const char zero[8];
	size_t length = strlen(text) + 1;
	put(r, text, length);
	put(r, zero, (8 - length % 8) % 8);
}

static struct record begin(uint32_t type, uint16_t misc)
{
	struct record r = { .length = 8 };
	memcpy(r.bytes, &type, sizeof(type));
	memcpy(r.bytes + 4, &misc, sizeof(misc));
	return r;
}

enum { PID = 4711, TID = 4733, TIME = 123456789 };

static void put_trailer(struct record *r)
{
	put_u32(r, PID);
	put_u32(r, TID);
	put_u64(r, TIME);
	put_u32(r, 1);
	put_u32(r, 0);
}

static struct record sample(uint16_t mode, uint64_t ip, const uint64_t *chain, size_t count)
{
	struct record r = begin(PERF_RECORD_SAMPLE, mode);
	put_u64(&r, ip);
	put_u32(&r, PID);
	put_u32(&r, TID);
	put_u64(&r, TIME);
	put_u32(&r, 3);
	put_u32(&r, 0);
	put_u64(&r, 1001001);
	put_u64(&r, count);
	put(&r, chain, count * sizeof(*chain));
	return r;
}

#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER   ((uint64_t)PERF_CONTEXT_USER)
#define GUEST  ((uint64_t)PERF_CONTEXT_GUEST)

static void test_sample(void **state)
{
	(void)state;
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010, 0xffffffff81000020, USER, 0x1000, 0x2000, 0x3000 };
	struct record r = sample(PERF_RECORD_MISC_KERNEL, 0xffffffff81000010, chain, 7);
	struct nt_perf_record out;
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_SAMPLE);
	assert_int_equal(out.pid, PID);
	assert_int_equal(out.tid, TID);
	assert_int_equal(out.time, TIME);
	assert_int_equal(out.sample.cpu, 3);
	assert_int_equal(out.sample.period, 1001001);
	uint64_t addresses[8];
	unsigned kernel_count;
	assert_int_equal(nt_perf_chain(&out, addresses, 8, &kernel_count), 5);
	assert_int_equal(kernel_count, 2);
	const uint64_t wanted[] = { 0xffffffff81000010, 0xffffffff81000020, 0x1000, 0x2000, 0x3000 };
	assert_memory_equal(addresses, wanted, sizeof(wanted));
	/* Room for three: the leaf's side is kept. */
	assert_int_equal(nt_perf_chain(&out, addresses, 3, &kernel_count), 3);
	assert_int_equal(addresses[2], 0x1000);
}

static void test_sample_of_other(void **state)
{
	(void)state;
	struct record r = sample(PERF_RECORD_MISC_USER, 0x1000, NULL, 0);
	struct nt_perf_record out;
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_false(nt_perf_record_is_sample_of_other(r.bytes, r.length, out.pid));
	assert_true(nt_perf_record_is_sample_of_other(r.bytes, r.length, out.pid + 1));
	/* What is cut is left to the parser, which says so; what is no sample has its pid elsewhere. */
	for (size_t length = 0; length < r.length; length++)
		assert_false(nt_perf_record_is_sample_of_other(r.bytes, length, out.pid + 1));
	r = begin(PERF_RECORD_COMM, 0);
	put_u64(&r, 0);
	put_u32(&r, PID);
	put_trailer(&r);
	assert_false(nt_perf_record_is_sample_of_other(r.bytes, r.length, PID + 1));
}

static void test_sample_without_chain_gives_its_ip(void **state)
{
	(void)state;
	struct record r = sample(PERF_RECORD_MISC_KERNEL, 0xffffffff81000010, NULL, 0);
	struct nt_perf_record out;
	uint64_t address;
	unsigned kernel_count;
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_int_equal(nt_perf_chain(&out, &address, 1, &kernel_count), 1);
	assert_int_equal(address, 0xffffffff81000010);
	assert_int_equal(kernel_count, 1);
}

static void test_chain_leaves_guests_out(void **state)
{
	(void)state;
	const uint64_t chain[] = { GUEST, 0x77, USER, 0x1000 };
	struct record r = sample(PERF_RECORD_MISC_USER, 0x1000, chain, 4);
	struct nt_perf_record out;
	uint64_t addresses[4];
	unsigned kernel_count;
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_int_equal(nt_perf_chain(&out, addresses, 4, &kernel_count), 1);
	assert_int_equal(addresses[0], 0x1000);
	assert_int_equal(kernel_count, 0);
}

static void test_map(void **state)
{
	(void)state;
	struct record r = begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put_u32(&r, PID);
	put_u32(&r, TID);
	put_u64(&r, 0x7f0000000000);
	put_u64(&r, 0x9000);
	put_u64(&r, 0x111000);
	put_u32(&r, 8);
	put_u32(&r, 1);
	put_u64(&r, 777);
	put_u64(&r, 0);
	put_u32(&r, 5); /* r-x */
	put_u32(&r, 2);
	put_text(&r, "/memfd:doublemapper (deleted)");
	put_trailer(&r);
	struct nt_perf_record out;
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_MAP);
	assert_true(out.map.exec);
	assert_int_equal(out.map.start, 0x7f0000000000);
	assert_int_equal(out.map.length, 0x9000);
	assert_int_equal(out.map.file_offset, 0x111000);
	assert_int_equal(out.map.inode, 777);
	assert_int_equal(out.time, TIME);
	assert_int_equal(out.map.name_length, strlen("/memfd:doublemapper (deleted)"));
	assert_memory_equal(out.map.name, "/memfd:doublemapper (deleted)", out.map.name_length);
}

static void test_threads(void **state)
{
	(void)state;
	struct record comm = begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put_u32(&comm, PID);
	put_u32(&comm, TID);
	put_text(&comm, ".NET TP Worker");
	put_trailer(&comm);
	struct nt_perf_record out;
	assert_int_equal(nt_perf_record_parse(comm.bytes, comm.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_COMM);
	assert_true(out.comm.exec);
	assert_int_equal(out.comm.name_length, 14);
	assert_memory_equal(out.comm.name, ".NET TP Worker", 14);

	/* The trailer of a FORK names the parent, its body the child. */
	struct record fork = begin(PERF_RECORD_FORK, 0);
	put_u32(&fork, PID);
	put_u32(&fork, PID);
	put_u32(&fork, 4790);
	put_u32(&fork, TID);
	put_u64(&fork, TIME);
	put_trailer(&fork);
	assert_int_equal(nt_perf_record_parse(fork.bytes, fork.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_FORK);
	assert_int_equal(out.tid, 4790);
	assert_int_equal(out.fork.parent_tid, TID);
}

static void test_lost(void **state)
{
	(void)state;
	struct record r = begin(PERF_RECORD_LOST, 0);
	put_u64(&r, 7);
	put_u64(&r, 872);
	put_trailer(&r);
	struct nt_perf_record out;
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_LOST);
	assert_int_equal(out.lost.count, 872);
	r = begin(PERF_RECORD_LOST_SAMPLES, 0);
	put_u64(&r, 12);
	put_trailer(&r);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
	assert_int_equal(out.lost.count, 12);
}

static void test_broken_records(void **state)
{
	(void)state;
	struct nt_perf_record out;
	const uint64_t chain[] = { USER, 0x1000 };
	struct record r = sample(PERF_RECORD_MISC_USER, 0x1000, chain, 2);
	for (size_t cut = 0; cut < r.length; cut++)
		assert_int_equal(nt_perf_record_parse(r.bytes, cut, &out), NT_ERR_MALFORMED);
	/* A count of frames that would overflow when multiplied. */
	uint64_t huge = UINT64_MAX / 8 + 2;
	memcpy(r.bytes + r.length - 3 * sizeof(uint64_t), &huge, sizeof(huge));
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_ERR_MALFORMED);
	/* No room for the trailer. */
	struct record comm = begin(PERF_RECORD_COMM, 0);
	put_u64(&comm, 0);
	assert_int_equal(nt_perf_record_parse(comm.bytes, comm.length, &out), NT_ERR_MALFORMED);
	/* Kinds of a newer kernel are no error. */
	struct record newer = begin(99, 0);
	put_u64(&newer, 0);
	assert_int_equal(nt_perf_record_parse(newer.bytes, newer.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_OTHER);
}

static void test_switches(void **state)
{
	(void)state;
	struct nt_perf_record out;
	for (int off = 0; off < 2; off++) {
		struct record r = begin(PERF_RECORD_SWITCH, off ? PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0);
		put_trailer(&r);
		assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &out), NT_OK);
		assert_int_equal(out.kind, NT_PERF_SWITCH);
		assert_int_equal(out.tid, TID);
		assert_int_equal(out.time, TIME);
		assert_int_equal(out.switched.on, !off);
		assert_int_equal(out.switched.preempted, off);
	}
	/* The event of a CPU says besides which other thread it is about. */
	struct record wide = begin(PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT);
	put_u64(&wide, UINT64_MAX);
	put_trailer(&wide);
	assert_int_equal(nt_perf_record_parse(wide.bytes, wide.length, &out), NT_OK);
	assert_int_equal(out.kind, NT_PERF_SWITCH);
	assert_int_equal(out.tid, TID);
	assert_int_equal(out.time, TIME);
	assert_false(out.switched.on);
	assert_false(out.switched.preempted);
	for (size_t cut = 0; cut < wide.length; cut++)
		assert_int_equal(nt_perf_record_parse(wide.bytes, cut, &out), NT_ERR_MALFORMED);
	/* One that says that it is as long, and has no room for that. */
	wide = begin(PERF_RECORD_SWITCH_CPU_WIDE, 0);
	put_trailer(&wide);
	assert_int_equal(nt_perf_record_parse(wide.bytes, wide.length, &out), NT_ERR_MALFORMED);
}

static void test_map_names(void **state)
{
	(void)state;
	static const struct {
		const char *name, *image;
		uint32_t flags;
	} cases[] = {
		{ "/usr/lib/libc.so.6", "/usr/lib/libc.so.6", NT_MAP_FILE },
		{ "/opt/app.so (deleted)", "/opt/app.so", NT_MAP_FILE | NT_MAP_DELETED },
		{ "/memfd:doublemapper (deleted)", "/memfd:doublemapper", NT_MAP_JIT },
		{ "/memfd:doublemapper", "/memfd:doublemapper", NT_MAP_JIT },
		{ "/memfd:other (deleted)", "/memfd:other", NT_MAP_FILE | NT_MAP_DELETED },
		{ "//anon", "", NT_MAP_JIT },
		{ "", "", NT_MAP_JIT },
		{ "[anon:.NET code]", "[anon:.NET code]", NT_MAP_JIT },
		{ "[vdso]", "[vdso]", NT_MAP_VDSO },
		{ "[stack]", "[stack]", 0 },
		{ " (deleted)", " (deleted)", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_map_name name = nt_map_name_read(cases[i].name, strlen(cases[i].name));
		assert_int_equal(name.flags, cases[i].flags);
		assert_int_equal(name.image_length, strlen(cases[i].image));
		assert_memory_equal(name.image, cases[i].image, name.image_length);
	}
}

/* What follows the chain when it was asked for: the registers' kind and values, the stack between its two sizes. */
static void put_stack(struct record *r, uint64_t abi, uint64_t size, uint64_t filled)
{
	put_u64(r, abi);
	for (uint64_t i = 0; abi && i < NT_PERF_REGS_COUNT; i++)
		put_u64(r, 100 + i);
	put_u64(r, size);
	for (uint64_t i = 0; i < size / 8; i++)
		put_u64(r, 200 + i);
	if (size)
		put_u64(r, filled);
}

static const uint64_t both_parts[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000000, (uint64_t)PERF_CONTEXT_USER, 0x1000, 0x2000 };

static void test_stack(void **state)
{
	(void)state;
	struct nt_perf_record record;
	struct record r = sample(PERF_RECORD_MISC_KERNEL, both_parts[1], both_parts, 5);
	put_stack(&r, 2, 64, 48);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &record), NT_OK);
	uint64_t value;
	memcpy(&value, record.sample.user_regs + 8 * (NT_PERF_REGS_COUNT - 1), sizeof(value));
	assert_int_equal(value, 107);
	memcpy(&value, record.sample.stack, sizeof(value));
	assert_int_equal(value, 200);
	assert_int_equal(record.sample.stack_bytes, 48);

	/* A thread of the kernel has neither, a 32-bit program none that we read. */
	r = sample(PERF_RECORD_MISC_KERNEL, both_parts[1], both_parts, 2);
	put_stack(&r, 0, 0, 0);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &record), NT_OK);
	assert_null(record.sample.stack);
	r = sample(PERF_RECORD_MISC_USER, 0x1000, both_parts + 2, 3);
	put_stack(&r, 1, 64, 64);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &record), NT_OK);
	assert_null(record.sample.stack);

	/* More said to be filled than there is; a size beyond the record. */
	r = sample(PERF_RECORD_MISC_USER, 0x1000, both_parts + 2, 3);
	put_stack(&r, 2, 64, 1000);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &record), NT_OK);
	assert_int_equal(record.sample.stack_bytes, 64);
	for (size_t cut = 8; cut <= 64 + 8; cut += 8) {
		struct record shorter = r;
		shorter.length -= cut;
		put(&shorter, NULL, 0);
		assert_int_equal(nt_perf_record_parse(shorter.bytes, shorter.length, &record), NT_ERR_MALFORMED);
	}
}

static void test_replaced_chain(void **state)
{
	(void)state;
	static const uint64_t frames[] = { 0x1000, 0x1500, 0x2000, 0x3000 };
	struct nt_perf_record record;
	struct record r = sample(PERF_RECORD_MISC_KERNEL, both_parts[1], both_parts, 5);
	put_stack(&r, 2, 64, 64);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &record), NT_OK);
	uint32_t first;
	assert_int_equal(nt_perf_user_part(&record, &first), 2);
	assert_int_equal(first, 3);
	uint8_t out[NT_PERF_REPLACED_MAX];
	size_t length = nt_perf_replace_chain(r.bytes, &record, first, frames, 4, out);
	struct nt_perf_record replaced;
	assert_int_equal(nt_perf_record_parse(out, length, &replaced), NT_OK);
	assert_int_equal(replaced.time, record.time);
	assert_int_equal(replaced.sample.period, record.sample.period);
	assert_null(replaced.sample.stack);
	uint64_t addresses[8];
	unsigned kernel_count;
	assert_int_equal(nt_perf_chain(&replaced, addresses, 8, &kernel_count), 5);
	assert_int_equal(kernel_count, 1);
	assert_int_equal(addresses[0], both_parts[1]);
	assert_memory_equal(addresses + 1, frames, sizeof(frames));

	static const uint64_t many[NT_PERF_REPLACED_MAX / 8];
	assert_int_equal(nt_perf_replace_chain(r.bytes, &record, first, many, NT_PERF_REPLACED_MAX / 8, out), 0);

	/* The kernel's part alone. */
	r = sample(PERF_RECORD_MISC_KERNEL, both_parts[1], both_parts, 2);
	assert_int_equal(nt_perf_record_parse(r.bytes, r.length, &record), NT_OK);
	assert_int_equal(nt_perf_user_part(&record, &first), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_sample_of_other),
		cmocka_unit_test(test_sample_without_chain_gives_its_ip),
		cmocka_unit_test(test_chain_leaves_guests_out),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_broken_records),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_map_names),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_replaced_chain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
