// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_viewer.h"

#include "source/lttng/lttng_graph.h"

#include <stdio.h>
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

static bool copy_url(const bt_value *sessions, const char *name, char url[NT_LTTNG_URL_BYTES])
{
	for (uint64_t i = 0; has_type(sessions, BT_VALUE_TYPE_ARRAY) && i < nt_bt.value_array_get_length(sessions); i++) {
		const bt_value *session = nt_bt.value_array_borrow_element_by_index_const(sessions, i);
		if (!has_type(session, BT_VALUE_TYPE_MAP))
			continue;
		const bt_value *session_name = nt_bt.value_map_borrow_entry_value_const(session, "session-name");
		const bt_value *session_url = nt_bt.value_map_borrow_entry_value_const(session, "url");
		if (!has_type(session_name, BT_VALUE_TYPE_STRING) || !has_type(session_url, BT_VALUE_TYPE_STRING) ||
		    strcmp(nt_bt.value_string_get(session_name), name) != 0)
			continue;
		return snprintf(url, NT_LTTNG_URL_BYTES, "%s", nt_bt.value_string_get(session_url)) < NT_LTTNG_URL_BYTES;
	}
	return false;
}

static enum nt_status query(const bt_component_class_source *class, const char *relay_url, const char *name, char url[NT_LTTNG_URL_BYTES],
			    struct nt_error *err)
{
	bt_value *params = nt_bt.value_map_create();
	nt_assert(params && nt_bt.value_map_insert_string_entry(params, "url", relay_url) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK);
	bt_query_executor *executor =
		nt_bt.query_executor_create(bt_component_class_source_as_component_class_const(class), "sessions", params);
	nt_bt.value_put_ref(params);
	nt_assert(executor);
	nt_bt.query_executor_set_logging_level(executor, BT_LOGGING_LEVEL_NONE);
	const bt_value *sessions = NULL;
	enum nt_status status = NT_AGAIN;
	if (nt_bt.query_executor_query(executor, &sessions) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK)
		status = nt_lttng_graph_error(err, "the relay does not list its sessions");
	else if (copy_url(sessions, name, url))
		status = NT_OK;
	nt_bt.value_put_ref(sessions);
	nt_bt.query_executor_put_ref(executor);
	return status;
}

enum nt_status nt_lttng_viewer_find(uint16_t live_port, const char *session, char url[NT_LTTNG_URL_BYTES], struct nt_error *err)
{
	const bt_plugin *plugin;
	const bt_component_class_source *class;
	enum nt_status status = find_live(&plugin, &class, err);
	if (status != NT_OK)
		return status;
	char relay_url[48];
	snprintf(relay_url, sizeof(relay_url), "net://127.0.0.1:%u", live_port);
	status = query(class, relay_url, session, url, err);
	nt_bt.plugin_put_ref(plugin);
	return status;
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
