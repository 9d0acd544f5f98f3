// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/node_columns.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "model/common/decay.h"
#include "model/past/predict.h"
#include "nettop/model.h"
#include "nettop/status.h"

#include <stdlib.h>

enum { LEB_MOST = 10, WORD = sizeof(uint64_t) };

/* ---- numbers ---- */

static uint64_t fold_sign(uint64_t difference, size_t unit)
{
	unsigned spare = 64 - 8 * (unsigned)unit;
	int64_t number = (int64_t)(difference << spare) >> spare;
	return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

static uint64_t unfold_sign(uint64_t folded)
{
	return folded >> 1 ^ (0 - (folded & 1));
}

static void write_number(struct nt_columns_writer *writer, uint64_t number)
{
	writer->bytes = nt_grow(writer->bytes, &writer->capacity, writer->used + LEB_MOST, 1);
	for (; number >= 0x80; number >>= 7)
		writer->bytes[writer->used++] = (unsigned char)(number | 0x80);
	writer->bytes[writer->used++] = (unsigned char)number;
}

struct reader {
	const unsigned char *at, *end;
};

static uint64_t read_number(struct reader *reader)
{
	uint64_t number = 0;
	for (unsigned shift = 0;; shift += 7) {
		nt_assert(reader->at < reader->end && shift < 64);
		unsigned char byte = *reader->at++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
}

/* ---- rows ---- */

/* Those of one kind that are in a batch. */
struct batch {
	const struct nt_shape *shape;
	unsigned char *rows; /* of all of the kind */
	size_t first, end;   /* of the batch */
	size_t *before;      /* owned: of each how far back the row before is; 0 = there is none */
};

static unsigned char *row_of(const struct batch *batch, size_t number)
{
	return batch->rows + number * batch->shape->size;
}

static const unsigned char *row_before(const struct batch *batch, size_t number)
{
	size_t back = batch->before[number - batch->first];
	return back ? row_of(batch, number - back) : NULL;
}

static bool is_before_whole(const struct batch *batch, size_t number)
{
	return number - batch->before[number - batch->first] < batch->first;
}

static size_t unit_of(const struct nt_shape *shape)
{
	return shape->size % WORD == 0 ? WORD : shape->size % sizeof(uint32_t) == 0 ? sizeof(uint32_t) : 1;
}

static void find_before(struct nt_columns_writer *writer, const struct batch *batch, size_t kind)
{
	size_t word_size = batch->shape->size < WORD ? batch->shape->size : WORD;
	for (size_t i = batch->first; i < batch->end; i++) {
		uint64_t key = nt_hash_bytes(row_of(batch, i), word_size) + kind;
		uint32_t last = nt_index_get(&writer->by_word, key);
		batch->before[i - batch->first] = last != NT_INDEX_NONE && last < i ? i - last : i > 0;
		nt_index_put(&writer->by_word, key, (uint32_t)i);
	}
}

static void write_rows(struct nt_columns_writer *writer, const struct batch *batch, double decay)
{
	size_t unit = unit_of(batch->shape);
	for (size_t i = batch->first; i < batch->end; i++)
		write_number(writer, batch->before[i - batch->first]);
	for (size_t at = 0; at < batch->shape->size; at += unit) {
		struct nt_predictor predictor = nt_predictor_of(batch->shape, at, unit, decay);
		for (size_t i = batch->first; i < batch->end; i++) {
			const unsigned char *row = row_of(batch, i);
			uint64_t predicted = nt_predict(&predictor, row, row_before(batch, i), is_before_whole(batch, i));
			write_number(writer, fold_sign(nt_column_get(row + at, unit) - predicted, unit));
			nt_predictor_learn(&predictor, row);
		}
	}
}

static void read_rows(struct reader *reader, const struct batch *batch, double decay)
{
	size_t unit = unit_of(batch->shape);
	for (size_t i = batch->first; i < batch->end; i++) {
		batch->before[i - batch->first] = read_number(reader);
		nt_assert(batch->before[i - batch->first] <= i);
	}
	for (size_t at = 0; at < batch->shape->size; at += unit) {
		struct nt_predictor predictor = nt_predictor_of(batch->shape, at, unit, decay);
		for (size_t i = batch->first; i < batch->end; i++) {
			unsigned char *row = row_of(batch, i);
			uint64_t predicted = nt_predict(&predictor, row, row_before(batch, i), is_before_whole(batch, i));
			nt_column_set(row + at, unit, predicted + unfold_sign(read_number(reader)));
			nt_predictor_learn(&predictor, row);
		}
	}
}

/* ---- lists of numbers ---- */

static void write_numbers(struct nt_columns_writer *writer, const unsigned char *from, const unsigned char *end)
{
	uint64_t last = 0;
	for (; from < end; from += sizeof(uint32_t)) {
		uint64_t number = nt_column_get(from, sizeof(uint32_t));
		write_number(writer, fold_sign(number - last, WORD));
		last = number;
	}
}

static void read_numbers(struct reader *reader, unsigned char *to, const unsigned char *end)
{
	uint64_t last = 0;
	for (; to < end; to += sizeof(uint32_t)) {
		last += unfold_sign(read_number(reader));
		nt_column_set(to, sizeof(uint32_t), last);
	}
}

/* ---- kinds ---- */

static void write_new(struct nt_columns_writer *writer, const struct nt_nodes *nodes, size_t kind, size_t first, double decay)
{
	const struct nt_node_list *list = &nodes->lists[kind];
	const struct nt_node_kind *of = &nodes->kinds->items[kind];
	size_t unit = nt_node_unit(of), start = first ? of->form == NT_NODE_ROW ? first * unit : list->ends[first - 1] : 0, last = start;
	for (size_t i = first; of->form != NT_NODE_ROW && i < list->count; last = list->ends[i++])
		write_number(writer, (list->ends[i] - last) / unit);
	if (of->form == NT_NODE_TEXT) {
		writer->bytes = nt_grow(writer->bytes, &writer->capacity, writer->used + list->used - start, 1);
		memcpy(writer->bytes + writer->used, list->bytes + start, list->used - start);
		writer->used += list->used - start;
	} else if (of->form == NT_NODE_NUMBERS) {
		write_numbers(writer, list->bytes + start, list->bytes + list->used);
	} else {
		struct batch batch = { .shape = of->shape, .rows = list->bytes, .first = start / unit, .end = list->used / unit };
		batch.before = nt_realloc(NULL, batch.end - batch.first, sizeof(*batch.before));
		find_before(writer, &batch, kind);
		write_rows(writer, &batch, decay);
		free(batch.before);
	}
}

void nt_columns_write(struct nt_columns_writer *writer, const struct nt_nodes *nodes)
{
	double decay = nt_window_decay(NT_WINDOW_HALF_LIFE);
	writer->used = 0;
	writer->counts = nt_grow(writer->counts, &writer->kind_capacity, nodes->list_count, sizeof(*writer->counts));
	while (writer->kind_count < nodes->list_count)
		writer->counts[writer->kind_count++] = 0;
	write_number(writer, nodes->list_count);
	for (size_t kind = 0; kind < nodes->list_count; kind++) {
		size_t first = writer->counts[kind], count = nodes->lists[kind].count;
		write_number(writer, count - first);
		if (count > first)
			write_new(writer, nodes, kind, first, decay);
		writer->counts[kind] = count;
	}
}

/* Room for new nodes of these sizes; returns where they begin. */
static size_t add_nodes(struct reader *reader, struct nt_nodes *nodes, size_t kind, size_t count)
{
	const struct nt_node_kind *of = &nodes->kinds->items[kind];
	size_t start = nt_nodes_of(nodes, kind)->used, unit = nt_node_unit(of);
	for (size_t i = 0; i < count; i++)
		nt_node_add(nodes, kind, (of->form == NT_NODE_ROW ? 1 : read_number(reader)) * unit);
	return start;
}

static void read_new(struct reader *reader, struct nt_nodes *nodes, size_t kind, size_t count, double decay)
{
	const struct nt_node_kind *of = &nodes->kinds->items[kind];
	size_t unit = nt_node_unit(of), start = add_nodes(reader, nodes, kind, count);
	const struct nt_node_list *list = &nodes->lists[kind];
	if (of->form == NT_NODE_TEXT) {
		nt_assert(list->used - start <= (size_t)(reader->end - reader->at));
		memcpy(list->bytes + start, reader->at, list->used - start);
		reader->at += list->used - start;
	} else if (of->form == NT_NODE_NUMBERS) {
		read_numbers(reader, list->bytes + start, list->bytes + list->used);
	} else {
		struct batch batch = { .shape = of->shape, .rows = list->bytes, .first = start / unit, .end = list->used / unit };
		batch.before = nt_realloc(NULL, batch.end - batch.first, sizeof(*batch.before));
		read_rows(reader, &batch, decay);
		free(batch.before);
	}
}

void nt_columns_read(const unsigned char *bytes, size_t size, struct nt_nodes *nodes)
{
	struct reader reader = { .at = bytes, .end = bytes + size };
	double decay = nt_window_decay(NT_WINDOW_HALF_LIFE);
	while (reader.at < reader.end) {
		size_t kind_count = read_number(&reader);
		nt_assert(kind_count <= nodes->kinds->count);
		for (size_t kind = 0; kind < kind_count; kind++) {
			size_t count = read_number(&reader);
			if (count)
				read_new(&reader, nodes, kind, count, decay);
		}
	}
}

size_t nt_columns_writer_bytes(const struct nt_columns_writer *writer)
{
	return writer->kind_capacity * sizeof(*writer->counts) + writer->by_word.size * sizeof(*writer->by_word.slots) + writer->capacity;
}

void nt_columns_writer_fini(struct nt_columns_writer *writer)
{
	free(writer->counts);
	free(writer->bytes);
	nt_index_fini(&writer->by_word);
	*writer = (struct nt_columns_writer){ 0 };
}
