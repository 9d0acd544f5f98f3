// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/databases.h"

#include "base/affix.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/requests/request_tags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME = 256, HOST = 96, PORT = 16, DATABASE = 96 };

static const char used_or_idle[] = "db.client.connection.count", used_or_idle_once[] = "db.client.connections.usage";

/* Names of today, and those of the years before. */
static const struct {
	const char *instrument;
	enum nt_database_state state;
} state_instruments[] = {
	{ "db.client.connection.max", NT_DATABASE_MAX },
	{ "db.client.connections.max", NT_DATABASE_MAX },
	{ "db.client.connection.pending_requests", NT_DATABASE_WAITING },
	{ "db.client.connections.pending_requests", NT_DATABASE_WAITING },
};

static bool is_one_of(const char *name, const char *first, const char *second)
{
	return strcmp(name, first) == 0 || strcmp(name, second) == 0;
}

/* ---- who tells ---- */

void nt_databases_mapped(struct nt_databases *databases, const char *path, size_t length)
{
	databases->asks |= nt_slice_ends_with(path, length, "/Npgsql.dll") || nt_slice_ends_with(path, length, "/MySqlConnector.dll");
}

bool nt_database_is_meter(const char *name, size_t length)
{
	static const char *const meters[] = { "Npgsql", "MySqlConnector" };
	for (size_t i = 0; i < sizeof(meters) / sizeof(*meters); i++)
		if (strlen(meters[i]) == length && memcmp(meters[i], name, length) == 0)
			return true;
	return false;
}

bool nt_database_is_duration(const char *instrument)
{
	return is_one_of(instrument, "db.client.operation.duration", "db.client.commands.duration");
}

/* ---- a name ---- */

struct slice {
	const char *text;
	size_t length;
};

static bool is_key(struct slice key, const char *name)
{
	return key.length == strlen(name) && strncasecmp(key.text, name, key.length) == 0;
}

static struct slice trimmed(const char *text, size_t length)
{
	while (length && *text == ' ') {
		text++;
		length--;
	}
	while (length && text[length - 1] == ' ')
		length--;
	return (struct slice){ text, length };
}

/* A name of the database, its host and its port, from `Host=db;Port=5432;Database=shop`. */
struct database {
	struct slice host, port, name;
};

static void take_part(struct slice part, struct database *out)
{
	const char *equals = memchr(part.text, '=', part.length);
	if (!equals)
		return;
	struct slice key = trimmed(part.text, (size_t)(equals - part.text)),
		     value = trimmed(equals + 1, (size_t)(part.text + part.length - equals - 1));
	if (is_key(key, "Host") || is_key(key, "Server") || is_key(key, "Data Source"))
		out->host = value;
	else if (is_key(key, "Port"))
		out->port = value;
	else if (is_key(key, "Database") || is_key(key, "Initial Catalog"))
		out->name = value;
}

static void parse_connection(struct slice text, struct database *out)
{
	for (size_t at = 0; at < text.length;) {
		const char *end = memchr(text.text + at, ';', text.length - at);
		size_t length = end ? (size_t)(end - text.text) - at : text.length - at;
		take_part((struct slice){ text.text + at, length }, out);
		at += length + 1;
	}
}

static struct slice tag(const char *tags, size_t tags_length, const char *key, const char *key_once)
{
	struct slice found = { 0 };
	found.text = nt_request_tag(tags, tags_length, key, &found.length);
	if (!found.text && key_once)
		found.text = nt_request_tag(tags, tags_length, key_once, &found.length);
	return found.text ? found : (struct slice){ 0 };
}

static struct slice pool_tag(const char *tags, size_t tags_length)
{
	return tag(tags, tags_length, "db.client.connection.pool.name", "pool.name");
}

static int cut(struct slice text, size_t limit)
{
	return text.text ? (int)nt_utf8_cut(text.text, text.length, limit) : 0;
}

const char *nt_database_name(const char *tags, size_t tags_length, struct nt_texts *texts)
{
	struct slice pool = pool_tag(tags, tags_length);
	struct database database = { .host = tag(tags, tags_length, "server.address", NULL),
				     .port = tag(tags, tags_length, "server.port", NULL),
				     .name = tag(tags, tags_length, "db.namespace", "db.name") };
	char text[NAME];
	if (!database.host.length)
		parse_connection(pool, &database);
	if (!database.host.length)
		return pool.length ? nt_texts_intern(texts, pool.text, nt_utf8_cut(pool.text, pool.length, NAME)) : NULL;
	int length =
		snprintf(text, sizeof(text), "%.*s%s%.*s%s%.*s", cut(database.name, DATABASE), database.name.text ? database.name.text : "",
			 database.name.length ? " at " : "", cut(database.host, HOST), database.host.text, database.port.length ? ":" : "",
			 cut(database.port, PORT), database.port.text ? database.port.text : "");
	return nt_texts_intern(texts, text, (size_t)length);
}

/* ---- pools ---- */

/* NULL: there are too many. */
static struct nt_database_pool *pool_of(struct nt_databases *databases, const char *tags, size_t tags_length, struct nt_texts *texts)
{
	struct slice name = pool_tag(tags, tags_length);
	uint64_t id = nt_hash_bytes(name.length ? name.text : "", name.length);
	for (size_t i = 0; i < databases->pool_count; i++)
		if (databases->pools[i].id == id)
			return &databases->pools[i];
	if (databases->pool_count == NT_DATABASE_POOLS)
		return NULL;
	struct nt_database_pool *pool = &databases->pools[databases->pool_count++];
	*pool = (struct nt_database_pool){ .id = id, .name = nt_database_name(tags, tags_length, texts) };
	return pool;
}

/* Of what the instrument tells; NT_DATABASE_STATES = of nothing of a pool. */
static enum nt_database_state state_of(const char *instrument, const char *tags, size_t tags_length)
{
	for (size_t i = 0; i < sizeof(state_instruments) / sizeof(*state_instruments); i++)
		if (strcmp(instrument, state_instruments[i].instrument) == 0)
			return state_instruments[i].state;
	if (!is_one_of(instrument, used_or_idle, used_or_idle_once))
		return NT_DATABASE_STATES;
	struct slice state = tag(tags, tags_length, "db.client.connection.state", "state");
	return is_key(state, "used") ? NT_DATABASE_USED : is_key(state, "idle") ? NT_DATABASE_IDLE : NT_DATABASE_STATES;
}

static void take_failures(struct nt_databases *databases, const struct nt_ev_counter *told)
{
	const double most = 1e15;
	databases->failures_told = true;
	if (!(told->known & NT_COUNTER_CHANGE) || !(told->change >= 0 && told->change < most))
		return;
	databases->failed_now += (uint64_t)told->change;
	databases->failed_all += (uint64_t)told->change;
}

void nt_databases_apply(struct nt_databases *databases, const struct nt_event *event, nt_time fresh_until, const char *instrument,
			const char *tags, size_t tags_length, struct nt_texts *texts)
{
	const struct nt_ev_counter *told = &event->u.counter;
	databases->asks |= strncmp(instrument, "db.client.", strlen("db.client.")) == 0;
	if (is_one_of(instrument, "db.client.operation.failed", "db.client.commands.failed"))
		take_failures(databases, told);
	enum nt_database_state state = state_of(instrument, tags, tags_length);
	struct nt_database_pool *pool =
		state != NT_DATABASE_STATES && told->known & NT_COUNTER_VALUE ? pool_of(databases, tags, tags_length, texts) : NULL;
	if (!pool)
		return;
	pool->of[state].value = isfinite(told->value) ? told->value : 0;
	pool->of[state].fresh_until = fresh_until;
}

/* ---- closing ---- */

/* Where only changes are told, those who waited before somebody listened end below zero. */
static struct nt_u64 state_now(const struct nt_database_pool *pool, enum nt_database_state state, nt_time now)
{
	const double most = 1e9;
	double value = pool->of[state].value;
	bool known = pool->of[state].fresh_until >= now && pool->of[state].fresh_until && value < most;
	return (struct nt_u64){ .known = known, .v = known && value > 0 ? (uint64_t)(value + 0.5) : 0 };
}

static double fullness(const struct nt_database_pool *pool, nt_time now)
{
	struct nt_u64 used = state_now(pool, NT_DATABASE_USED, now), max = state_now(pool, NT_DATABASE_MAX, now);
	return !used.known ? -1 : max.known && max.v ? (double)used.v / (double)max.v : 0;
}

static void fill_failures(const struct nt_databases *databases, uint64_t number, struct nt_request_figures *out)
{
	if (databases->failures_told && out->database_error_count.known)
		out->database_error_count.v = number;
}

void nt_databases_close(struct nt_databases *databases, nt_time now, struct nt_snapshot *snapshot, struct nt_request_figures *interval,
			struct nt_request_figures *total)
{
	const struct nt_database_pool *fullest = NULL;
	fill_failures(databases, databases->failed_now, interval);
	fill_failures(databases, databases->failed_all, total);
	databases->failed_now = 0;
	for (size_t i = 0; i < databases->pool_count; i++)
		if (!fullest || fullness(&databases->pools[i], now) > fullness(fullest, now))
			fullest = &databases->pools[i];
	if (!fullest || fullness(fullest, now) < 0)
		return;
	interval->pool = fullest->name ? nt_arena_text(snapshot->arena, fullest->name, strlen(fullest->name)) : NULL;
	interval->pool_used_count = state_now(fullest, NT_DATABASE_USED, now);
	interval->pool_idle_count = state_now(fullest, NT_DATABASE_IDLE, now);
	interval->pool_max_count = state_now(fullest, NT_DATABASE_MAX, now);
	interval->pool_waiting_count = state_now(fullest, NT_DATABASE_WAITING, now);
}

void nt_databases_each_text(const struct nt_databases *databases, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < databases->pool_count; i++)
		visit(databases->pools[i].name, context);
}
