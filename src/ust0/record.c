// SPDX-License-Identifier: MIT
#include "record.h"

/*
 * From reserve to commit the old context is the bridge's, and the new one is laid over it, so a record needs neither memory nor thread-local
 * storage and may be interrupted by another. Only buf_offset stays where it was, for inlined alignment code of the old probe.
 */
struct overlay {
	struct ust1_ctx ctx;
	const struct ust1_channel_ops *ops;
	unsigned long buf_offset;
	struct ust1_probe_ctx probe_ctx;
	void (*event_write)(struct ust1_ctx *ctx, const void *src, size_t length, size_t alignment);
};
UST0_LAYOUT(offsetof(struct overlay, buf_offset) == offsetof(struct ust0_ctx, buf_offset));
UST0_LAYOUT(sizeof(struct overlay) <= sizeof(struct ust0_ctx));

/*
 * Old probes align by adding to buf_offset what is missing to the next multiple; new ones say the alignment with each write. From 1, the next multiple of
 * any alignment is the alignment itself. On x86 records are packed: nothing is added.
 */
enum { UNALIGNED = 1 };

static size_t take_alignment(struct overlay *overlay)
{
#ifdef __x86_64__
	(void)overlay;
	return UNALIGNED;
#else
	const size_t alignment = overlay->buf_offset;
	overlay->buf_offset = UNALIGNED;
	return alignment;
#endif
}

static int reserve(struct ust0_ctx *old, uint32_t event_id)
{
	(void)event_id;
	const struct ust1_event *event = ((const struct ust0_event *)old->event)->desc;
	struct ust1_recorder *recorder = event->child;
	const struct ust1_channel_buffer *chan = recorder->chan;
	if (!ust0_recorder_is_on(event))
		return -1;
	const struct ust1_channel_ops *real = chan->ops;
	const size_t data_size = old->data_size;
	const int largest_align = old->largest_align;
	void *ip = old->ip;
	struct overlay *new = (struct overlay *)old;
	new->ctx.struct_size = sizeof(new->ctx);
	new->ctx.recorder = recorder;
	new->ctx.data_size = data_size;
	new->ctx.largest_align = largest_align;
	new->ctx.probe_ctx = &new->probe_ctx;
	new->ctx.priv = NULL;
	new->ops = real;
	new->event_write = real->event_write;
	new->buf_offset = UNALIGNED;
	new->probe_ctx.struct_size = sizeof(new->probe_ctx);
	new->probe_ctx.ip = ip;
	return real->event_reserve(&new->ctx);
}

static void commit(struct ust0_ctx *old)
{
	struct overlay *new = (struct overlay *)old;
	new->ops->event_commit(&new->ctx);
}

static void write_bytes(struct ust0_ctx *old, const void *src, size_t length)
{
	struct overlay *new = (struct overlay *)old;
	new->event_write(&new->ctx, src, length, take_alignment(new));
}

static void write_string(struct ust0_ctx *old, const char *src, size_t length)
{
	struct overlay *new = (struct overlay *)old;
	take_alignment(new);
	new->ops->event_strcpy(&new->ctx, src, length);
}

static const struct ust0_session session = { .active = 1 };

static const struct ust0_channel_ops ops = {
	.has_strcpy = 1,
	.event_reserve = reserve,
	.event_commit = commit,
	.event_write = write_bytes,
	.event_strcpy = write_string,
};

const struct ust0_channel ust0_channel = { .enabled = 1, .session = &session, .ops = &ops };
