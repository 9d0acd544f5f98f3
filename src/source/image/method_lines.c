// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/method_lines.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "decode/assembly/metadata_method.h"
#include "decode/assembly/pe_debug.h"
#include "source/image/image_window.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void say(struct nt_method_lines *out, const char *fmt, ...)
{
	va_list arguments;
	va_start(arguments, fmt);
	vsnprintf(out->reason, sizeof(out->reason), fmt, arguments);
	va_end(arguments);
}

/* ---- its PDB ---- */

/* Where its bytes come from, either of them. */
struct pdb {
	struct nt_pdb pdb;
	struct nt_image_window *file;
	struct nt_window *unpacked;
	uint8_t *bytes; /* owned; of `unpacked` */
	size_t size;
};

static void close_pdb(struct pdb *pdb)
{
	nt_image_window_free(pdb->file);
	nt_window_free(pdb->unpacked);
	free(pdb->bytes);
}

static bool read_unpacked(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct pdb *pdb = context;
	memcpy(buf, pdb->bytes + offset, size);
	return true;
}

static bool is_own(const struct pdb *pdb, const struct nt_pe_debug *debug)
{
	return debug->has_id && memcmp(pdb->pdb.id, debug->id, sizeof(debug->id)) == 0;
}

static bool open_embedded(struct nt_window *image, const struct nt_pe_debug *debug, struct pdb *out)
{
	out->bytes = nt_pe_debug_unpack(image, &debug->embedded, &out->size);
	if (!out->bytes)
		return false;
	const struct nt_window_source source = { .read = read_unpacked, .context = out, .size = out->size };
	out->unpacked = nt_window_new(&source);
	return nt_pdb_read(out->unpacked, &out->pdb) && is_own(out, debug);
}

static bool open_beside(const struct nt_image_place *assembly, const struct nt_pe_debug *debug, struct pdb *out,
			struct nt_method_lines *lines)
{
	char why[NT_METHOD_LINES_REASON];
	size_t stem = strlen(assembly->path) - strlen(".dll");
	char *path = nt_format("%.*s.pdb", (int)stem, assembly->path);
	const char *name = nt_file_base_name(path);
	const struct nt_image_place place = {
		.root_dir = assembly->root_dir, .path = path, .uid = assembly->uid, .opener = assembly->opener
	};
	bool own = false;
	out->file = nt_image_window_new(&place, why, sizeof(why));
	if (!out->file)
		say(lines, "%.60s, which has the lines: %.110s", name, why);
	else if (!nt_pdb_read(nt_image_window(out->file), &out->pdb))
		say(lines, "%.100s is no portable PDB", name);
	else if (!(own = is_own(out, debug)))
		say(lines, "%.100s is not of this build", name);
	free(path);
	return own;
}

/* ---- the lines ---- */

/* Documents whose paths were read: each once, because reading one may take long where the PDB means harm. */
struct documents {
	struct document {
		uint32_t number, offset;
		uint16_t length;
	} items[NT_METHOD_LINES_DOCUMENTS];
	size_t count;
};

/* NULL: no method has so many. */
static const struct document *document_of(struct documents *documents, const struct nt_pdb *pdb, uint32_t number,
					  struct nt_method_lines *out)
{
	char path[NT_METHOD_LINES_PATH];
	for (size_t i = 0; i < documents->count; i++)
		if (documents->items[i].number == number)
			return &documents->items[i];
	if (documents->count == NT_METHOD_LINES_DOCUMENTS)
		return NULL;
	struct document *document = &documents->items[documents->count++];
	*document = (struct document){ number, (uint32_t)out->length, (uint16_t)nt_pdb_document(pdb, number, path, sizeof(path)) };
	out->text = nt_grow(out->text, &out->text_capacity, out->length + document->length, 1);
	memcpy(out->text + out->length, path, document->length);
	out->length += document->length;
	return document;
}

static void read_lines(const struct nt_pdb *pdb, uint32_t rid, struct nt_method_lines *out)
{
	struct nt_pdb_points points;
	struct nt_pdb_point point;
	struct nt_batch_line line = { 0 };
	struct documents documents = { 0 };
	if (!nt_pdb_points_of(pdb, rid, &points)) {
		say(out, "the PDB has no lines of this method");
		return;
	}
	while (out->count < NT_METHOD_LINES_MAX && nt_pdb_points_next(&points, &point)) {
		if (point.line) {
			const struct document *document = document_of(&documents, pdb, point.document, out);
			if (!document)
				return;
			line.offset = document->offset;
			line.length = document->length;
		}
		line.start = point.il_offset;
		line.size = point.line;
		out->lines = nt_grow(out->lines, &out->capacity, out->count + 1, sizeof(*out->lines));
		out->lines[out->count++] = line;
	}
}

static void read_method(struct nt_image_window *image, struct nt_slice name, struct nt_method_lines *out)
{
	struct nt_pe pe;
	struct nt_metadata md;
	struct nt_pe_debug debug;
	struct pdb pdb = { 0 };
	uint32_t rid;
	const char *path = nt_image_window_place(image)->path, *file = nt_file_base_name(path);
	if (!nt_pe_read(nt_image_window(image), 0, &pe) || !nt_metadata_of(&pe, &md))
		say(out, "%.100s is no managed image", file);
	else if (!(rid = nt_metadata_find_method(&md, name)))
		say(out, "%.100s has no such method, or several that cannot be told apart", file);
	else if (!nt_pe_debug_read(&pe, &debug) || !debug.has_id)
		say(out, "%.100s was compiled without a portable PDB", file);
	else if (debug.embedded.size ? open_embedded(nt_image_window(image), &debug, &pdb)
				     : open_beside(nt_image_window_place(image), &debug, &pdb, out))
		read_lines(&pdb.pdb, rid, out);
	else if (debug.embedded.size)
		say(out, "the PDB in %.100s is broken", file);
	close_pdb(&pdb);
}

void nt_method_lines_read(const struct nt_image_place *place, const char *name, struct nt_method_lines *out)
{
	*out = (struct nt_method_lines){ 0 };
	struct nt_image_window *image = nt_image_window_new(place, out->reason, sizeof(out->reason));
	if (!image)
		return;
	read_method(image, (struct nt_slice){ name, strlen(name) }, out);
	nt_image_window_free(image);
}

void nt_method_lines_fini(struct nt_method_lines *lines)
{
	free(lines->lines);
	free(lines->text);
	*lines = (struct nt_method_lines){ 0 };
}
