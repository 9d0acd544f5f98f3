// SPDX-License-Identifier: GPL-2.0-only
#include "source/crash/last_look.h"

#include "base/alloc.h"
#include "base/call_filter.h"
#include "source/common/bpf_call.h"
#include "source/common/bpf_ring.h"
#include "source/crash/last_look_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A record: a power of two. */
enum { RING_BYTES = 256 << 10 };
_Static_assert(sizeof(struct nt_last_look_record) + BPF_RINGBUF_HDR_SZ <= RING_BYTES, "a record");

struct nt_last_look {
	int ring, link;                     /* owned; -1 = none */
	struct nt_bpf_ring ready;           /* the ring, mapped */
	struct nt_last_look_record *newest; /* owned; NULL = none yet */
};

static bool begin(struct nt_last_look *look, const struct nt_perf_filter *process, unsigned major)
{
	look->ring = nt_bpf_map("nettop_last", BPF_MAP_TYPE_RINGBUF, 0, 0, RING_BYTES, 0);
	if (look->ring < 0 || !nt_bpf_ring_map(&look->ready, look->ring, RING_BYTES))
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
	*look = (struct nt_last_look){ .ring = -1, .link = -1 };
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
	nt_bpf_ring_fini(&look->ready);
	if (look->ring >= 0)
		close(look->ring);
	free(look->newest);
	free(look);
}

static void take(void *context, const uint8_t *data, uint32_t length)
{
	struct nt_last_look *look = context;
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
	nt_bpf_ring_read(&look->ready, take, look);
	return look->newest;
}
