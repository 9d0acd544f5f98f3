/* SPDX-License-Identifier: GPL-2.0-only */
/* Room symbol: code over time: address and time -> name or reason. */
/*
 * Address + time -> a name, or the reason why there is none. Fed by MAP, CODE, CODE_END, NAME and METHOD_LOAD/UNLOAD events; asked when an
 * interval closes.
 *
 * Order of the answers for user code: line of the perf map that is a method, unless the runtime's own data say that other code is there (resolve_read.c); line that is a stub; without a map what the runtime's own data say (NT_RUNTIME_IMAGE; of code that may be freed for the time between two looks), then METHOD_LOAD event (second table, for what
 * the map does not cover); of a generic method the runtime's data tell which instance it is. Then the mapped image by file offset, of generated code what the runtime's data say; what then has no name may be in the runtime's own list of its methods (a rundown), which is all that there is where nobody said what is mapped. Kernel
 * addresses go to the image "[kernel]".
 */
#ifndef NT_SYMBOL_RESOLVER_H
#define NT_SYMBOL_RESOLVER_H

#include "nettop/source.h"
#include "symbol/addresses.h"
#include "symbol/method_keys.h"
#include "symbol/names.h"

struct nt_resolver;

/* `names` is borrowed for the life of the object. */
struct nt_resolver *nt_resolver_new(struct nt_names *names);
void nt_resolver_free(struct nt_resolver *resolver); /* NULL is allowed */

/* ---- what the events say; texts are heap references; takes effect with the next settle ---- */

void nt_resolver_add_map(struct nt_resolver *resolver, const struct nt_ev_map *map, nt_text_ref image, nt_time time);
/* A line of the perf map, valid from `from` on; lines whose texts stay in the map file. */
void nt_resolver_add_code(struct nt_resolver *resolver, const struct nt_batch_line *line, nt_text_ref text, nt_time from);
void nt_resolver_add_places(struct nt_resolver *resolver, const struct nt_ev_code *code, const struct nt_batch_place *places, size_t count);
void nt_resolver_end_code(struct nt_resolver *resolver, const struct nt_ev_code_end *end, nt_time time);
void nt_resolver_add_method(struct nt_resolver *resolver, const struct nt_ev_method *method, nt_text_ref name, nt_time time);
void nt_resolver_end_method(struct nt_resolver *resolver, const struct nt_ev_method *method, nt_time time);
/* A method of a rundown, in the form of the perf map. */
void nt_resolver_add_listed(struct nt_resolver *resolver, const struct nt_batch_line *line, nt_text_ref text, nt_time from);
void nt_resolver_add_name(struct nt_resolver *resolver, const struct nt_ev_name *answer, nt_text_ref image, nt_text_ref name,
			  nt_text_ref reason);

/* Why there is no perf map. */
struct nt_map_fault {
	enum nt_naming naming;
	const char *reason; /* a text of the table; NULL = nothing is wrong with it */
};

/*
 * What the code map source says of itself at `time`. answering: somebody answers questions; without, code of images is folded into one row per image.
 */
void nt_resolver_set_source(struct nt_resolver *resolver, bool answering, const struct nt_map_fault *map, nt_time time);

/* Somebody answers questions for NT_RUNTIME_IMAGE, or does not any more: what was answered stays. */
void nt_resolver_set_reads_data(struct nt_resolver *resolver, bool reads);
bool nt_resolver_reads_data(const struct nt_resolver *resolver);

/* Make everything that was added findable. Returns the version of the code map: it changes when any answer may have changed. */
uint32_t nt_resolver_settle(struct nt_resolver *resolver, nt_time now);

/* ---- asking ---- */

struct nt_resolved {
	uint32_t key; /* see nt_resolver_key() */
	enum nt_tier tier;
	bool provisional;             /* a better answer may come: ask again */
	bool reusable;                /* code of a dynamic method: other code may soon be where it is */
	bool awaited;                 /* what was there at that time is about to be known: better ask again than count it as nameless */
	bool mapped;                  /* false: in no executable mapping, a junk frame unless it is the leaf */
	nt_time valid_from, valid_to; /* same answer in [valid_from, valid_to) */
	struct nt_extent extent;      /* and at all of these addresses */
};

/*
 * What lies at `address` at `time`. `weight` samples want to know: it orders the questions; 0 asks none. Never fails: what has no name has a
 * reason.
 */
struct nt_resolved nt_resolver_resolve(struct nt_resolver *resolver, uint64_t address, bool kernel, nt_time time, uint64_t weight);

/*
 * `weight` samples will want to know what lies at `address` at `time`: a question if it is in an image and has no answer yet, so that there is one by the time that
 * nt_resolver_resolve() is called. Before the first, make findable what has come of mappings and answers: nt_resolver_settle_images().
 */
void nt_resolver_want(struct nt_resolver *resolver, uint64_t address, bool kernel, nt_time time, uint64_t weight);
void nt_resolver_settle_images(struct nt_resolver *resolver, nt_time now);

/*
 * Where the code at `address` was at `time`, for code without a name: `[libfoo.so+0x1234]` with the file offset, `[0x7f3c81a042e0]` for code that is in
 * no file. Permanent. Bounded in number: then the image's name alone, or "[code]".
 */
const char *nt_resolver_place(struct nt_resolver *resolver, uint64_t address, nt_time time);

/*
 * The piece of code around `address` at `time`: that of the method or function that nt_resolver_resolve() names there. False: where it begins is not known,
 * because it has no name.
 */
bool nt_resolver_extent(const struct nt_resolver *resolver, uint64_t address, nt_time time, uint64_t *start, uint64_t *end);

/* The key for samples without a call chain. */
uint32_t nt_resolver_no_chain(struct nt_resolver *resolver);

/* Borrowed until the next resolve. */
const struct nt_key *nt_resolver_key(const struct nt_resolver *resolver, uint32_t key);
bool nt_resolver_has_key(const struct nt_resolver *resolver, uint32_t key);
/* How many keys there are. */
size_t nt_resolver_key_count(const struct nt_resolver *resolver);

/*
 * Forget keys that no row needs any more: those for which `unused` is true. The code map's version changes, because what was resolved before
 * may refer to them.
 */
void nt_resolver_forget_keys(struct nt_resolver *resolver, bool (*unused)(uint32_t key, void *context), void *context);

/* Is the generated code that was at `address` gone by `time`? */
bool nt_resolver_ended(const struct nt_resolver *resolver, uint64_t address, nt_time time);

/* Is it gone now, or has other code begun there after `since`? */
bool nt_resolver_replaced(const struct nt_resolver *resolver, uint64_t address, nt_time since);

/*
 * The assembly of the method that the perf map has at `address`, or the runtime's own list or data where there is no map, if it is called `name` there: an address may be used again.
 * Permanent; NULL = not known. *asked, which is false before: somebody is asked, and may answer later; NULL = nobody is to be asked.
 */
const char *nt_resolver_module(struct nt_resolver *resolver, uint64_t address, const char *name, bool *asked);

/* Has code been sampled for the first time that only a rundown may name, since one was asked for last? And: it is being asked for. */
bool nt_resolver_needs_list(const struct nt_resolver *resolver);
void nt_resolver_list_asked(struct nt_resolver *resolver);

/*
 * Has code that may be freed been sampled since this was asked last of which nobody knew, and does somebody answer questions about it? What was there before, and is looked at
 * again, is none: more frequent looks would say nothing new of it.
 */
bool nt_resolver_meets_passing(struct nt_resolver *resolver);

/* A thread was at an address in no mapping that is known, which is no junk of a broken chain: the mappings are a question. */
void nt_resolver_lacks_mapping(struct nt_resolver *resolver);

/* Have they been asked for, and not been read yet? And: nothing is asked later, so that a question for them is due now. */
bool nt_resolver_awaits_mappings(const struct nt_resolver *resolver);
void nt_resolver_asks_last(struct nt_resolver *resolver);

/* Questions for the code map source; see nt_images_ask(). */
struct nt_question *nt_resolver_ask(struct nt_resolver *resolver, nt_time now, uint32_t pid, size_t max, size_t *count);

/* Visit every heap reference, for a compaction. */
void nt_resolver_each_ref(struct nt_resolver *resolver, nt_ref_visit *visit, void *context);

/* Visit every text that is kept, for a sweep of the table. */
void nt_resolver_each_text(struct nt_resolver *resolver, nt_text_visit *visit, void *context);

/* Entries of the code tables, for tests and statistics. */
size_t nt_resolver_code_count(const struct nt_resolver *resolver);

#endif
