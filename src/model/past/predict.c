// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/predict.h"

#include <math.h>

uint64_t nt_column_get(const unsigned char *at, size_t unit)
{
	uint64_t wide;
	uint32_t half;
	if (unit == sizeof(wide)) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	if (unit == 1)
		return *at;
	memcpy(&half, at, sizeof(half));
	return half;
}

void nt_column_set(unsigned char *at, size_t unit, uint64_t value)
{
	uint32_t half = (uint32_t)value;
	if (unit == sizeof(value))
		memcpy(at, &value, sizeof(value));
	else if (unit == 1)
		*at = (unsigned char)value;
	else
		memcpy(at, &half, sizeof(half));
}

static double number_of(uint64_t bits)
{
	double number;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

static uint64_t bits_of(double number)
{
	uint64_t bits;
	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static bool is_of(const struct nt_prediction *how, size_t at, size_t unit)
{
	bool inside = at >= how->at && at + unit <= how->at + how->size;
	return inside && (how->kind != NT_PREDICT_MOVED || at + unit + how->other <= how->at + how->size);
}

struct nt_predictor nt_predictor_of(const struct nt_shape *shape, size_t at, size_t unit, double decay)
{
	struct nt_predictor predictor = { .at = at, .unit = unit, .row_size = shape->size, .decay = decay };
	for (size_t i = 0; i < shape->prediction_count; i++)
		if (is_of(&shape->predictions[i], at, unit))
			predictor.how = &shape->predictions[i];
	return predictor;
}

/* Of what a share is one. */
static double part_in(const struct nt_predictor *predictor, const unsigned char *row)
{
	uint64_t bits = nt_column_get(row + predictor->how->other, sizeof(bits));
	return predictor->how->kind == NT_PREDICT_SHARE ? (double)bits : number_of(bits);
}

static bool is_share(const struct nt_predictor *predictor)
{
	return predictor->how && (predictor->how->kind == NT_PREDICT_SHARE || predictor->how->kind == NT_PREDICT_PART);
}

/* Which bits a NaN has depends on how the compiler writes an operation down: it is no prediction. */
static uint64_t predict_number(double number, uint64_t otherwise)
{
	return isfinite(number) ? bits_of(number) : otherwise;
}

uint64_t nt_predict(const struct nt_predictor *predictor, const unsigned char *row, const unsigned char *before, bool whole)
{
	const struct nt_prediction *how = predictor->how;
	uint64_t same = before ? nt_column_get(before + predictor->at, predictor->unit) : 0;
	if (!how)
		return same;
	switch (how->kind) {
	case NT_PREDICT_MOVED:
		return before && whole ? nt_column_get(before + predictor->at + how->other, predictor->unit) : same;
	case NT_PREDICT_SUM:
		return same + nt_column_get(row + how->other, predictor->unit);
	case NT_PREDICT_WINDOW:
		return predict_number(number_of(same) * predictor->decay + (double)nt_column_get(row + how->other, sizeof(uint64_t)), same);
	case NT_PREDICT_SHARE:
	case NT_PREDICT_PART:
		return predictor->whole > 0 ? predict_number(100.0 * part_in(predictor, row) / predictor->whole, same) : same;
	}
	return same;
}

/* Counts are of a count: then the whole is known exactly. */
static double whole_of(double part, double share, bool counted)
{
	double whole = 100.0 * part / share;
	return counted && fabs(whole - rint(whole)) < 1e-6 * whole ? rint(whole) : whole;
}

void nt_predictor_learn(struct nt_predictor *predictor, const unsigned char *row)
{
	if (!is_share(predictor))
		return;
	double part = part_in(predictor, row), share = number_of(nt_column_get(row + predictor->at, predictor->unit));
	if (part > 0 && share > 0 && isfinite(part) && isfinite(share))
		predictor->whole = whole_of(part, share, predictor->how->kind == NT_PREDICT_SHARE);
}
