/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sampled object stands for. The runtime picks each allocated byte with the same small chance, so an object of s bytes is picked with
 * 1 - (1 - 1/distance)^s and counts the inverse of that many times (Horvitz and Thompson 1952): nothing is estimated about large objects.
 */
#ifndef NT_MODEL_ALLOC_SAMPLE_H
#define NT_MODEL_ALLOC_SAMPLE_H

#include "nettop/snapshot.h"

/* The sums of one sample, an ALLOC_SAMPLED event. An object without a size counts for nothing but itself. */
struct nt_alloc_sums nt_alloc_sums_of(const struct nt_ev_alloc *sample);

/*
 * The same of an ALLOC_TICK, the object with which what a kind of heap has given out since its last tick came to 100 KB: it stands for all of that. That is no
 * sample: of small objects the one that needs a new allocation context (8 KB) is told, so what is large among them, and what a regular loop allocates at the same
 * place of each round, has too much, and others too little. The error, 1 / sqrt(n) of small objects, is without that bias. A large object that is told alone
 * stands for itself.
 */
struct nt_alloc_sums nt_alloc_sums_of_tick(const struct nt_ev_alloc *tick);

#endif
