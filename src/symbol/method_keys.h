/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a method row is: (kind, module, name, reason), given a small number. Texts are the table's, so that pointers compare. Bounded: beyond
 * the limit everything new is one key, "(other methods)".
 */
#ifndef NT_SYMBOL_METHOD_KEYS_H
#define NT_SYMBOL_METHOD_KEYS_H

#include "base/index.h"
#include "base/texts.h"
#include "nettop/event.h"

struct nt_key {
	const char *name;
	const char *raw_name; /* NULL = same as name; not part of the identity */
	const char *module;   /* NULL = none */
	const char *reason;   /* why there is no better name; NULL = it has one */
	uint64_t id;          /* set by the table: never given twice, unlike the number */
	uint32_t next;        /* internal: next of the same chain, or next free one */
	enum nt_naming naming : 8;
	enum nt_code_kind kind : 8;
};

struct nt_keys {
	struct nt_key *items; /* owned */
	size_t count, capacity;
	size_t used;        /* without the free ones */
	uint64_t made;      /* ever */
	uint32_t free;      /* first free one */
	uint32_t *chains;   /* owned; by hash: first of its chain */
	size_t chain_count; /* a power of two: at least as many as keys */
};

enum {
	NT_KEY_LIMIT = 1 << 18,
	NT_KEY_OTHER = 0, /* everything beyond the limit */
};

void nt_keys_init(struct nt_keys *keys);
void nt_keys_fini(struct nt_keys *keys);

/* The number of `key` (its `id` and `next` are ignored). */
uint32_t nt_keys_intern(struct nt_keys *keys, const struct nt_key *key);

/* Forget a key that nobody refers to any more; its number will be used again. NT_KEY_OTHER stays. */
void nt_keys_remove(struct nt_keys *keys, uint32_t number);

/* Its texts. */
void nt_keys_each_text(const struct nt_keys *keys, nt_text_visit *visit, void *context);

/* Is this the number of a key? */
bool nt_keys_valid(const struct nt_keys *keys, uint32_t number);

/* Is it code that the runtime or a library has made to get from one method to another: a stub, a call by reflection, the resolver of a service? */
bool nt_key_is_between(const struct nt_key *key);

#endif
