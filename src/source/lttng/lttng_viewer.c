// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_viewer.h"

#include "base/alloc.h"
#include "source/lttng/lttng_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The plug-in's class that reads live sessions. *plugin is a reference of the caller's. */
static enum nt_status find_live(const bt_plugin **plugin, const bt_component_class_source **class, struct nt_error *err)
{
	*plugin = nt_lttng_graph_plugin("ctf", err);
	if (!*plugin)
		return err->status;
	*class = nt_bt.plugin_borrow_source_component_class_by_name_const(*plugin, "lttng-live");
	if (*class)
		return NT_OK;
	nt_bt.plugin_put_ref(*plugin);
	return nt_error_set(err, NT_ERR_ABSENT, "babeltrace2's plug-in ctf cannot read live sessions (no lttng-live)");
}

/* ---- which sessions the relay has ---- */

static bool has_type(const bt_value *value, bt_value_type type)
{
	return value && bt_value_type_is(nt_bt.value_get_type(value), type);
}

/* A text of such a map, copied; false: it has none, or one that does not fit. */
static bool copy_member(const bt_value *map, const char *key, char *to, size_t size)
{
	const bt_value *value = nt_bt.value_map_borrow_entry_value_const(map, key);
	return has_type(value, BT_VALUE_TYPE_STRING) && snprintf(to, size, "%s", nt_bt.value_string_get(value)) < (int)size;
}

static bool has_streams(const bt_value *session)
{
	const bt_value *count =
		has_type(session, BT_VALUE_TYPE_MAP) ? nt_bt.value_map_borrow_entry_value_const(session, "stream-count") : NULL;
	return has_type(count, BT_VALUE_TYPE_UNSIGNED_INTEGER)
		       ? nt_bt.value_integer_unsigned_get(count) > 0
		       : has_type(count, BT_VALUE_TYPE_SIGNED_INTEGER) && nt_bt.value_integer_signed_get(count) > 0;
}

static size_t copy_sessions(const bt_value *sessions, struct nt_lttng_viewer_session *out, size_t most)
{
	size_t count = 0;
	for (uint64_t i = 0; has_type(sessions, BT_VALUE_TYPE_ARRAY) && count < most && i < nt_bt.value_array_get_length(sessions); i++) {
		const bt_value *session = nt_bt.value_array_borrow_element_by_index_const(sessions, i);
		struct nt_lttng_viewer_session *to = &out[count];
		to->has_streams = has_streams(session);
		count += has_type(session, BT_VALUE_TYPE_MAP) && copy_member(session, "session-name", to->name, sizeof(to->name)) &&
			 copy_member(session, "target-hostname", to->host, sizeof(to->host)) &&
			 copy_member(session, "url", to->url, sizeof(to->url));
	}
	return count;
}

static enum nt_status query(const bt_component_class_source *class, const char *relay_url, struct nt_lttng_viewer_session *out, size_t most,
			    size_t *count, struct nt_error *err)
{
	bt_value *params = nt_bt.value_map_create();
	nt_assert(params && nt_bt.value_map_insert_string_entry(params, "url", relay_url) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	bt_query_executor *executor =
		nt_bt.query_executor_create(bt_component_class_source_as_component_class_const(class), "sessions", params);
	nt_bt.value_put_ref(params);
	nt_assert(executor);
	nt_bt.query_executor_set_logging_level(executor, BT_LOGGING_LEVEL_NONE);
	const bt_value *sessions = NULL;
	enum nt_status status = NT_OK;
	if (nt_bt.query_executor_query(executor, &sessions) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		status = nt_lttng_graph_error(err, "the relay does not list its sessions");
	*count = status == NT_OK ? copy_sessions(sessions, out, most) : 0;
	nt_bt.value_put_ref(sessions);
	nt_bt.query_executor_put_ref(executor);
	return status;
}

enum nt_status nt_lttng_viewer_list(const char *relay_url, struct nt_lttng_viewer_session *out, size_t most, size_t *count,
				    struct nt_error *err)
{
	const bt_plugin *plugin;
	const bt_component_class_source *class;
	*count = 0;
	enum nt_status status = find_live(&plugin, &class, err);
	if (status != NT_OK)
		return status;
	status = query(class, relay_url, out, most, count, err);
	nt_bt.plugin_put_ref(plugin);
	return status;
}

enum nt_status nt_lttng_viewer_find(uint16_t live_port, const char *session, char url[NT_LTTNG_URL_BYTES], struct nt_error *err)
{
	char relay_url[48];
	size_t count;
	struct nt_lttng_viewer_session *sessions = nt_alloc(NT_LTTNG_SESSIONS_MAX * sizeof(*sessions));
	snprintf(relay_url, sizeof(relay_url), "net://127.0.0.1:%u", live_port);
	enum nt_status status = nt_lttng_viewer_list(relay_url, sessions, NT_LTTNG_SESSIONS_MAX, &count, err);
	size_t i = 0;
	while (i < count && strcmp(sessions[i].name, session) != 0)
		i++;
	if (i < count)
		snprintf(url, NT_LTTNG_URL_BYTES, "%s", sessions[i].url);
	free(sessions);
	return status == NT_OK && i == count ? NT_AGAIN : status;
}

/* ---- the graph ---- */

/* No muxer: the live source has one output, in order of time. */
static enum nt_status build(struct nt_lttng_viewer *viewer, const bt_component_class_source *class, const char *url, struct nt_error *err)
{
	const bt_component_source *source = NULL;
	bt_value *params = nt_lttng_graph_input(url);
	/* The session is there when we come, so its end is the end. */
	nt_assert(nt_bt.value_map_insert_string_entry(params, "session-not-found-action", "end") == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	/* Its log goes to the standard error, which is the screen. */
	bt_graph_add_component_status added =
		nt_bt.graph_add_source_component(viewer->graph, class, "live", params, BT_LOGGING_LEVEL_NONE, &source);
	nt_bt.value_put_ref(params);
	if (added != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
		return nt_lttng_graph_error(err, "cannot make a reader for the live session");
	if (!nt_bt.component_source_get_output_port_count(source))
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "babeltrace2's live source has no output port");
	return nt_lttng_graph_end_in_sink(viewer, nt_bt.component_source_borrow_output_port_by_index_const(source, 0), err);
}

enum nt_status nt_lttng_viewer_new(const char *url, const struct nt_lttng_viewer_sink *sink, struct nt_lttng_viewer **out,
				   struct nt_error *err)
{
	const bt_plugin *plugin;
	const bt_component_class_source *class;
	*out = NULL;
	enum nt_status status = find_live(&plugin, &class, err);
	if (status != NT_OK)
		return status;
	struct nt_lttng_viewer *viewer = nt_lttng_graph_new(sink, "the connection to the relay is lost");
	status = build(viewer, class, url, err);
	nt_bt.plugin_put_ref(plugin);
	if (status == NT_OK)
		*out = viewer;
	else
		nt_lttng_viewer_free(viewer);
	return status;
}
