// SPDX-License-Identifier: GPL-2.0-only
#include "source/crash/last_look.h"

#include "base/alloc.h"
#include "base/call_filter.h"
#include "source/common/bpf_call.h"
#include "source/crash/last_look_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A record: a power of two. */
enum { RING_BYTES = 256 << 10 };
_Static_assert(sizeof(struct nt_last_look_record) + BPF_RINGBUF_HDR_SZ <= RING_BYTES, "a record");

struct nt_last_look {
	int ring, link;          /* owned; -1 = none */
	unsigned long *consumer; /* owned mapping of a page: up to here it was read */
	unsigned char *producer; /* owned mapping: a page with how far it was written, and the data twice */
	size_t page;
	struct nt_last_look_record *newest; /* owned; NULL = none yet */
};

static bool map_ring(struct nt_last_look *look)
{
	void *consumer = mmap(NULL, look->page, PROT_READ | PROT_WRITE, MAP_SHARED, look->ring, 0);
	void *producer = mmap(NULL, look->page + 2 * (size_t)RING_BYTES, PROT_READ, MAP_SHARED, look->ring, (off_t)look->page);
	look->consumer = consumer == MAP_FAILED ? NULL : consumer;
	look->producer = producer == MAP_FAILED ? NULL : producer;
	return look->consumer && look->producer;
}

static bool begin(struct nt_last_look *look, const struct nt_perf_filter *process, unsigned major)
{
	look->ring = nt_bpf_map("nettop_last", BPF_MAP_TYPE_RINGBUF, 0, 0, RING_BYTES, 0);
	if (look->ring < 0 || !map_ring(look))
		return false;
	int program = nt_last_look_program_load(process, look->ring, major);
	if (program < 0)
		return false;
	look->link = nt_bpf_attach(program, "signal_generate");
	int error = errno;
	close(program); /* the link holds it */
	errno = error;
	return look->link >= 0;
}

enum nt_status nt_last_look_new(const struct nt_target *target, struct nt_last_look **out, struct nt_error *err)
{
	struct nt_perf_filter process;
	if (!nt_perf_filter_of(target->proc_dir, target->ns_pid, &process))
		return nt_error_set(err, NT_ERR_FORBIDDEN,
				    "a crash is looked at by the kernel only for who may see the process's namespaces");
	struct nt_last_look *look = nt_alloc(sizeof(*look));
	*look = (struct nt_last_look){ .ring = -1, .link = -1, .page = (size_t)sysconf(_SC_PAGESIZE) };
	if (begin(look, &process, nt_target_runtime_major(target))) {
		*out = look;
		return NT_OK;
	}
	int error = errno;
	nt_last_look_free(look);
	if (nt_call_filter_keeps_bpf())
		return nt_error_set(err, NT_ERR_FORBIDDEN, "looking at a crash needs bpf(2), which a seccomp filter keeps from nettop");
	if (error == EPERM || error == EACCES)
		return nt_error_set(err, NT_ERR_FORBIDDEN, "looking at a crash needs CAP_BPF and CAP_PERFMON");
	return nt_error_errno(err, NT_ERR_UNSUPPORTED, error, "this kernel does not let nettop look at a crash");
}

void nt_last_look_free(struct nt_last_look *look)
{
	if (!look)
		return;
	if (look->link >= 0)
		close(look->link);
	if (look->consumer)
		munmap(look->consumer, look->page);
	if (look->producer)
		munmap(look->producer, look->page + 2 * (size_t)RING_BYTES);
	if (look->ring >= 0)
		close(look->ring);
	free(look->newest);
	free(look);
}

static void take(struct nt_last_look *look, const unsigned char *data, uint32_t length)
{
	struct nt_last_look_record *newest = look->newest;
	if (length != sizeof(*newest))
		return;
	if (!newest)
		newest = look->newest = nt_alloc(sizeof(*newest));
	memcpy(newest, data, sizeof(*newest));
	if (newest->text_count > NT_LAST_LOOK_TEXTS)
		newest->text_count = NT_LAST_LOOK_TEXTS;
	if (newest->message_length > NT_LAST_LOOK_TEXT_BYTES / 2)
		newest->message_length = NT_LAST_LOOK_TEXT_BYTES / 2;
	if (newest->frame_count > NT_LAST_LOOK_FRAMES)
		newest->frame_count = NT_LAST_LOOK_FRAMES;
}

const struct nt_last_look_record *nt_last_look_read(struct nt_last_look *look)
{
	unsigned long at = *look->consumer, until = __atomic_load_n((unsigned long *)(void *)look->producer, __ATOMIC_ACQUIRE);
	while (at < until) {
		const unsigned char *entry = look->producer + look->page + (at & (RING_BYTES - 1));
		uint32_t head = __atomic_load_n((const uint32_t *)(const void *)entry, __ATOMIC_ACQUIRE);
		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		uint32_t length = head & ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
		if (!(head & BPF_RINGBUF_DISCARD_BIT))
			take(look, entry + BPF_RINGBUF_HDR_SZ, length);
		at += (length + BPF_RINGBUF_HDR_SZ + 7) & ~7ul;
		__atomic_store_n(look->consumer, at, __ATOMIC_RELEASE);
	}
	return look->newest;
}
