// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_source_lines.h"

#include "base/alloc.h"
#include "decode/names/method_name.h"
#include "source/image/mapped_image.h"

#include <stdlib.h>
#include <string.h>

/* Which files they are in: the mappings say it. */
struct visit {
	struct nt_errand errand;
	char *proc_dir, *root_dir; /* owned */
	uid_t uid;
	uint64_t address;
	char *method; /* owned */
	struct nt_slice module;
	struct nt_mapped_image assembly, code; /* of the method; what is mapped at the address. Without a path: none */
};

/* /app/Shop.dll is the file of the assembly Shop. */
static bool is_file_of(const struct nt_procfs_map *map, const void *context)
{
	const struct nt_slice *module = context;
	const char *name = (const char *)memrchr(map->path, '/', map->path_length) + 1;
	size_t length = map->path_length - (size_t)(name - map->path);
	return length == module->length + 4 && memcmp(name, module->text, module->length) == 0 &&
	       (memcmp(name + module->length, ".dll", 4) == 0 || memcmp(name + module->length, ".exe", 4) == 0);
}

static bool is_code_at(const struct nt_procfs_map *map, const void *context)
{
	const uint64_t *address = context;
	return map->exec && *address >= map->start && *address < map->end;
}

/* The runtime maps all assemblies that it loads from files, also those without code of their own. */
static void run(struct nt_errand *errand)
{
	struct visit *visit = (struct visit *)errand;
	const struct nt_mapped_process process = { .proc_dir = visit->proc_dir, .root_dir = visit->root_dir, .uid = visit->uid };
	if (visit->module.length)
		nt_mapped_image_find(&process, is_file_of, &visit->module, &visit->assembly);
	nt_mapped_image_find(&process, is_code_at, &visit->address, &visit->code);
}

static void release(struct nt_errand *errand)
{
	struct visit *visit = (struct visit *)errand;
	free(visit->proc_dir);
	free(visit->root_dir);
	free(visit->method);
	nt_mapped_image_fini(&visit->assembly);
	nt_mapped_image_fini(&visit->code);
	free(visit);
}

static struct visit *new_visit(const struct nt_files_target *target, const struct nt_image_question *question)
{
	struct visit *visit = nt_alloc(sizeof(*visit));
	struct nt_method_parts parts;
	visit->errand = (struct nt_errand){ .run = run, .release = release };
	visit->proc_dir = nt_strdup(target->proc_dir);
	visit->root_dir = nt_strdup(target->root_dir);
	visit->uid = target->uid;
	visit->address = question->map_start;
	visit->method = nt_strdup(question->method ? question->method : "");
	if (nt_method_parts_of((struct nt_slice){ visit->method, strlen(visit->method) }, &parts))
		visit->module = parts.module;
	return visit;
}

/* ---- events ---- */

struct answering {
	const struct nt_image_question *question;
	const struct visit *visit;
	struct nt_codemap_out *out;
};

static void put_reason(const struct answering *answering, const char *reason)
{
	struct nt_event *event = nt_codemap_out_event(answering->out, NT_EV_SOURCE_LINES, nt_clock_now());
	event->u.source_lines.asked = answering->question->map_start;
	event->u.source_lines.reason = nt_codemap_out_cstr(answering->out, *reason ? reason : NULL);
}

static void put(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	const struct answering *answering = context;
	const struct nt_decoder_table *table = reply->table;
	(void)request;
	put_reason(answering, reply->answer->text);
	nt_batch_add_source_lines(answering->out->batch, table->lines, table->line_count, table->letters, table->letter_count);
}

static void put_il(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	const struct answering *answering = context;
	const struct nt_mapped_image *mapped = &answering->visit->code;
	const struct nt_decoder_answer *answer = reply->answer;
	uint64_t bias = mapped->start - mapped->offset; /* as wrapping as the difference may be */
	(void)request;
	if (!answer->has_name)
		return;
	struct nt_event *event = nt_codemap_out_event(answering->out, NT_EV_IL_MAP, nt_clock_now());
	event->u.il_map.asked = answering->question->map_start;
	event->u.il_map.start = answer->start + bias;
	event->u.il_map.size = answer->end - answer->start;
	struct nt_batch_place *places = nt_realloc(NULL, reply->table->place_count, sizeof(*places));
	for (size_t i = 0; i < reply->table->place_count; i++) {
		places[i] = reply->table->places[i];
		places[i].start += bias;
	}
	nt_batch_add_il_map(answering->out->batch, places, reply->table->place_count);
	free(places);
}

static struct nt_decoder_request request_for(const struct nt_mapped_image *image, enum nt_decoder_verb verb, uint64_t offset)
{
	return (struct nt_decoder_request){ .verb = verb,
					    .of = { .inode = image->place.inode,
						    .offset = offset,
						    .map_start = image->start,
						    .map_end = image->end,
						    .image = image->path } };
}

static void answer(struct nt_decoder *decoder, struct answering *answering)
{
	const struct visit *visit = answering->visit;
	if (visit->code.path) {
		uint64_t offset = visit->address - visit->code.start + visit->code.offset;
		const struct nt_decoder_request request = request_for(&visit->code, NT_DECODE_IL, offset);
		nt_decoder_ask(decoder, &request, 1, put_il, answering);
	}
	if (visit->assembly.path) {
		struct nt_decoder_request request = request_for(&visit->assembly, NT_DECODE_SOURCE, 0);
		request.bytes = visit->method;
		request.length = strlen(visit->method);
		nt_decoder_ask(decoder, &request, 1, put, answering);
		return;
	}
	char *reason = visit->module.length
			       ? nt_format("the assembly %.*s is in no file of its own", (int)visit->module.length, visit->module.text)
			       : nt_strdup("its name does not say which assembly it is in");
	put_reason(answering, reason);
	free(reason);
}

void nt_codemap_source_lines_answer(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder,
				    const struct nt_image_question *question, struct nt_codemap_out *out)
{
	struct visit *visit = new_visit(target, question);
	struct answering answering = { .question = question, .visit = visit, .out = out };
	enum nt_status status = nt_hand_do(hand, &visit->errand, NT_FILES_TIMEOUT_NS);
	if (status == NT_END)
		return;        /* we are closing */
	if (status != NT_OK) { /* the visit is the hand's */
		put_reason(&answering, "its lines cannot be read: timed out");
		return;
	}
	answer(decoder, &answering);
	release(&visit->errand);
}
