// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap_names.h"

#include "base/alloc.h"
#include "source/codemap_bundles.h"
#include "source/codemap_place.h"
#include "source/codemap_r2r.h"
#include "source/demangle.h"
#include "source/image_symbols.h"
#include "source/kernel_lookup.h"
#include "source/kernel_symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Images kept, and what their tables may take together; beyond that the one that was asked for longest ago is dropped. */
enum { IMAGES_MAX = 256, IMAGES_MAX_BYTES = 64 << 20, PAGE_BYTES = 4096 };

/* Kernel addresses are the upper half. */
#define KERNEL_START (UINT64_C(1) << 63)

struct entry {
	char *path;
	uint64_t inode;
	uint64_t asked; /* number of the last question for it */
	struct nt_image_symbols image;
};

struct nt_codemap_names {
	const struct nt_codemap_target *target;
	struct nt_hand *hand;
	struct entry *entries;
	size_t entry_count, entry_capacity;
	uint64_t question_count;
	bool kernel_loaded, vdso_loaded;
	struct nt_kernel_lookup *kernel_lookup; /* NULL: not possible here, or not tried yet */
	bool kernel_lookup_tried;
	struct nt_kernel_function kernel_function; /* of the answer in hand */
	struct nt_symbols *kernel;                 /* NULL: kernel_reason says why */
	char kernel_reason[2 * NT_ERROR_TEXT];
	struct nt_image_symbols vdso;
	struct nt_codemap_r2r *r2r;
	struct nt_codemap_bundles *bundles;
};

struct nt_codemap_names *nt_codemap_names_new(const struct nt_codemap_target *target, struct nt_hand *hand)
{
	struct nt_codemap_names *names = nt_alloc(sizeof(*names));
	names->target = target;
	names->hand = hand;
	names->r2r = nt_codemap_r2r_new(target, hand);
	names->bundles = nt_codemap_bundles_new(target, hand);
	return names;
}

static void drop_entry(struct nt_codemap_names *names, size_t index)
{
	free(names->entries[index].path);
	nt_image_symbols_fini(&names->entries[index].image);
	names->entries[index] = names->entries[--names->entry_count];
}

void nt_codemap_names_free(struct nt_codemap_names *names)
{
	if (!names)
		return;
	while (names->entry_count)
		drop_entry(names, 0);
	free(names->entries);
	nt_kernel_lookup_free(names->kernel_lookup);
	nt_symbols_free(names->kernel);
	nt_image_symbols_fini(&names->vdso);
	nt_codemap_r2r_free(names->r2r);
	nt_codemap_bundles_free(names->bundles);
	free(names);
}

/* ---- one answer ---- */

struct answer {
	uint64_t start, end;
	enum nt_code_kind kind;
	const char *name;   /* NULL: reason says why */
	const char *reason; /* more precisely than the words of `naming`; NULL = they are enough */
	enum nt_naming naming;
};

static void put(struct nt_codemap_out *out, const struct nt_codemap_question *question, const struct answer *answer)
{
	char demangled[NT_DEMANGLE_MAX];
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_NAME, nt_clock_now());
	struct nt_ev_name *said = &event->u.name;
	said->inode = question->inode;
	said->image = nt_codemap_out_cstr(out, question->image);
	said->start = answer->start;
	said->end = answer->end;
	said->kind = answer->kind;
	said->naming = answer->naming;
	/* Managed names go as the runtime would write them: the model makes what is shown of them, as of lines of the perf map. */
	bool raw = answer->kind == NT_CODE_R2R;
	said->name = answer->name ? nt_codemap_out_cstr(out, raw ? answer->name : nt_demangle(answer->name, demangled)) : 0;
	said->reason = nt_codemap_out_cstr(out, answer->reason);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

enum nt_code_kind nt_codemap_image_kind(const char *image)
{
	static const char *const runtime[] = { "libcoreclr",  "libclrjit",      "libclrgc",   "libclretwrc",  "libSystem.",
					       "libhostfxr.", "libhostpolicy.", "libmscorda", "libmscordbi.", "libnethost." };
	const char *name = base_name(image);
	for (size_t i = 0; i < sizeof(runtime) / sizeof(*runtime); i++)
		if (strncmp(name, runtime[i], strlen(runtime[i])) == 0)
			return NT_CODE_RUNTIME;
	return NT_CODE_NATIVE;
}

/* `text` holds the caller's answer. */
static struct answer answer_from_image(const struct nt_image_symbols *image, const char *path, uint64_t offset, char *text, size_t size)
{
	if (image->form == NT_IMAGE_UNREADABLE)
		return (struct answer){
			.start = 0, .end = UINT64_MAX, .kind = NT_CODE_UNKNOWN, .reason = image->reason, .naming = image->naming
		};
	if (image->form != NT_IMAGE_ELF)
		return (struct answer){ .start = 0,
					.end = image->file_size > offset ? image->file_size : offset + 1,
					.kind = NT_CODE_UNKNOWN,
					.reason = image->reason,
					.naming = image->naming };
	struct nt_image_function function;
	if (!nt_image_symbols_find(image, offset, &function)) {
		snprintf(text, size, "in no executable part of %s", base_name(path));
		uint64_t page = offset & ~(uint64_t)(PAGE_BYTES - 1);
		return (struct answer){
			.start = page, .end = page + PAGE_BYTES, .kind = NT_CODE_UNKNOWN, .reason = text, .naming = NT_NAMING_R2R_UNNAMED
		};
	}
	struct answer answer = { .start = function.start,
				 .end = function.end,
				 .kind = nt_codemap_image_kind(path),
				 .name = function.name,
				 .naming = NT_NAMING_NAMED };
	if (function.bounded) {
		snprintf(text, size, "%s!0x%" PRIx64, base_name(path), function.start_address);
		answer.name = text;
		answer.naming = NT_NAMING_BOUNDED;
	} else if (!function.name && image->reason[0]) {
		answer.reason = image->reason;
		answer.naming = image->naming;
	} else if (!function.name) {
		snprintf(text, size, image->exports_only ? "stripped: %s names only its exports" : "no function of %s covers this place",
			 base_name(path));
		answer.reason = text;
		answer.naming = image->exports_only ? NT_NAMING_STRIPPED : NT_NAMING_NO_FUNCTION;
	}
	return answer;
}

/* ---- images ---- */

struct loading {
	struct nt_errand errand;
	struct nt_codemap_place of;
	struct nt_image_symbols image;
};

static void run(struct nt_errand *errand)
{
	struct loading *loading = (struct loading *)errand;
	nt_image_symbols_load(&loading->image, &loading->of.place);
}

static void release(struct nt_errand *errand)
{
	struct loading *loading = (struct loading *)errand;
	nt_image_symbols_fini(&loading->image);
	nt_codemap_place_fini(&loading->of);
	free(loading);
}

static struct loading *new_loading(const struct nt_codemap_target *target, const struct nt_codemap_question *question)
{
	struct loading *loading = nt_alloc(sizeof(*loading));
	loading->errand = (struct nt_errand){ .run = run, .release = release };
	nt_codemap_place_init(&loading->of, target, question);
	return loading;
}

static size_t image_bytes(const struct nt_codemap_names *names)
{
	size_t bytes = 0;
	for (size_t i = 0; i < names->entry_count; i++)
		bytes += nt_image_symbols_bytes(&names->entries[i].image);
	return bytes;
}

static void make_room(struct nt_codemap_names *names)
{
	while (names->entry_count > 0 && (names->entry_count >= IMAGES_MAX || image_bytes(names) > IMAGES_MAX_BYTES)) {
		size_t oldest = 0;
		for (size_t i = 1; i < names->entry_count; i++)
			if (names->entries[i].asked < names->entries[oldest].asked)
				oldest = i;
		drop_entry(names, oldest);
	}
}

static struct entry *entry_for(struct nt_codemap_names *names, const struct nt_codemap_question *question)
{
	for (size_t i = 0; i < names->entry_count; i++)
		if (names->entries[i].inode == question->inode && strcmp(names->entries[i].path, question->image) == 0)
			return &names->entries[i];
	struct loading *loading = new_loading(names->target, question);
	enum nt_status status = nt_hand_do(names->hand, &loading->errand, NT_CODEMAP_TIMEOUT_NS);
	if (status == NT_END)
		return NULL;
	make_room(names);
	names->entries = nt_grow(names->entries, &names->entry_capacity, names->entry_count + 1, sizeof(*names->entries));
	struct entry *entry = &names->entries[names->entry_count++];
	*entry = (struct entry){ .path = nt_strdup(question->image), .inode = question->inode };
	if (status == NT_OK) {
		entry->image = loading->image;
		loading->image = (struct nt_image_symbols){ 0 }; /* moved */
		release(&loading->errand);
	} else {
		entry->image.form = NT_IMAGE_UNREADABLE;
		entry->image.naming = NT_NAMING_IMAGE_UNREADABLE;
		snprintf(entry->image.reason, sizeof(entry->image.reason), "image unreadable: timed out");
	}
	return entry;
}

/* ---- the kernel ---- */

#define NO_KERNEL_FUNCTION "no function of the kernel covers this place"

/* Only of the kernel that we run on: a /proc of files speaks of another one. */
static enum nt_status look_up(struct nt_codemap_names *names, uint64_t address)
{
	if (!names->kernel_lookup_tried && strcmp(names->target->proc_root, "/proc") == 0)
		names->kernel_lookup = nt_kernel_lookup_new();
	names->kernel_lookup_tried = true;
	return names->kernel_lookup ? nt_kernel_lookup_find(names->kernel_lookup, address, &names->kernel_function) : NT_ERR_FAILED;
}

static void load_kernel(struct nt_codemap_names *names)
{
	struct nt_error err = { 0 };
	if (nt_kernel_symbols_load(names->target->proc_root, &names->kernel, &err) != NT_OK)
		nt_error_text(&err, names->kernel_reason, sizeof(names->kernel_reason));
}

static struct answer answer_from_kallsyms(struct nt_codemap_names *names, uint64_t address)
{
	if (!names->kernel_loaded) {
		names->kernel_loaded = true;
		load_kernel(names);
	}
	struct answer answer = { .start = KERNEL_START, .end = UINT64_MAX, .kind = NT_CODE_KERNEL };
	if (!names->kernel) {
		answer.reason = names->kernel_reason;
		answer.naming = NT_NAMING_KERNEL_HIDDEN;
		return answer;
	}
	struct nt_symbol symbol;
	if (nt_symbols_find(names->kernel, address, &symbol)) {
		answer.name = symbol.name;
	} else {
		answer.reason = NO_KERNEL_FUNCTION;
		answer.naming = NT_NAMING_NO_FUNCTION;
	}
	answer.start = symbol.start;
	answer.end = symbol.end;
	return answer;
}

static struct answer answer_from_kernel(struct nt_codemap_names *names, uint64_t address)
{
	const struct nt_kernel_function *function = &names->kernel_function;
	switch (look_up(names, address)) {
	case NT_OK:
		return (struct answer){ .start = function->start, .end = function->end, .kind = NT_CODE_KERNEL, .name = function->name };
	case NT_ERR_ABSENT:
		return (struct answer){ .start = address,
					.end = address + 1,
					.kind = NT_CODE_KERNEL,
					.reason = NO_KERNEL_FUNCTION,
					.naming = NT_NAMING_NO_FUNCTION };
	default:
		return answer_from_kallsyms(names, address);
	}
}

static struct answer answer_from_vdso(struct nt_codemap_names *names, uint64_t offset, char *reason, size_t size)
{
	if (!names->vdso_loaded) {
		names->vdso_loaded = true;
		nt_vdso_load(&names->vdso);
	}
	return answer_from_image(&names->vdso, "[vdso]", offset, reason, size);
}

/* ---- precompiled images ---- */

/* The assembly that the place is in: the file itself, or one that a single-file program carries behind its ELF part. */
static enum nt_status find_assembly(struct nt_codemap_names *names, const struct nt_image_symbols *image,
				    const struct nt_codemap_question *question, struct nt_bundle_part *assembly)
{
	uint64_t offset = question->offset;
	if (image->form == NT_IMAGE_ELF && !nt_elf_segment_at(image->segments, image->segment_count, offset))
		return nt_codemap_bundles_find(names->bundles, question, assembly);
	*assembly = (struct nt_bundle_part){ .length = image->file_size > offset ? image->file_size : offset + 1 };
	return image->form == NT_IMAGE_PE ? NT_OK : NT_ERR_ABSENT;
}

/* False: we are closing. */
static bool answer_from_r2r(struct nt_codemap_names *names, const struct nt_codemap_question *question,
			    const struct nt_bundle_part *assembly, struct answer *answer)
{
	const struct nt_image_r2r_answer *found =
		nt_codemap_r2r_answer(names->r2r, question, assembly->offset, assembly->offset + assembly->length);
	if (!found)
		return false;
	*answer = (struct answer){
		.start = found->start, .end = found->end, .kind = NT_CODE_R2R, .reason = found->reason, .naming = NT_NAMING_R2R_UNNAMED
	};
	switch (found->what) {
	case NT_IMAGE_R2R_METHOD:
		answer->name = found->name.text;
		answer->reason = NULL;
		answer->naming = NT_NAMING_NAMED;
		break;
	case NT_IMAGE_R2R_UNNAMED:
		break;
	case NT_IMAGE_R2R_THUNK:
		answer->kind = NT_CODE_STUB;
		answer->name = "[R2R thunk]";
		answer->reason = NULL;
		answer->naming = NT_NAMING_R2R_THUNK;
		break;
	case NT_IMAGE_R2R_NO_CODE:
		answer->kind = NT_CODE_UNKNOWN;
		break;
	}
	return true;
}

void nt_codemap_names_answer(struct nt_codemap_names *names, const struct nt_codemap_question *question, struct nt_codemap_out *out)
{
	char reason[256];
	struct answer answer;
	names->question_count++;
	if (strcmp(question->image, "[kernel]") == 0) {
		answer = answer_from_kernel(names, question->offset);
	} else if (strcmp(question->image, "[vdso]") == 0) {
		answer = answer_from_vdso(names, question->offset, reason, sizeof(reason));
	} else if (question->image[0] != '/' || strncmp(question->image, "/memfd:doublemapper", 19) == 0) {
		answer = (struct answer){ .end = UINT64_MAX,
					  .kind = NT_CODE_UNKNOWN,
					  .reason = "generated code without a line in the perf map",
					  .naming = NT_NAMING_NO_LINE };
	} else {
		struct entry *entry = entry_for(names, question);
		if (!entry)
			return; /* we are closing */
		entry->asked = names->question_count;
		struct nt_bundle_part assembly;
		switch (find_assembly(names, &entry->image, question, &assembly)) {
		case NT_OK:
			if (!answer_from_r2r(names, question, &assembly, &answer))
				return;
			break;
		case NT_END:
			return;
		default:
			answer = answer_from_image(&entry->image, entry->path, question->offset, reason, sizeof(reason));
			break;
		}
	}
	put(out, question, &answer);
}
