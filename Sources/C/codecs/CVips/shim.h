// Wrappers for parts of GLib and libvips that Swift cannot import: macros with casts, and variadic
// functions.
#pragma once

#include <gmodule.h>
#include <stdio.h>
#include <string.h>
#include <vips/vips.h>

/// Sets a property of an operation; false if the operation has no such property.
static inline gboolean thimble_set_value(VipsOperation *operation, const char *name, GValue *value) {
    gboolean exists =
        g_object_class_find_property(G_OBJECT_GET_CLASS(operation), name) != NULL;
    if (exists)
        g_object_set_property(G_OBJECT(operation), name, value);
    g_value_unset(value);
    return exists;
}

static inline gboolean thimble_set_int(VipsOperation *operation, const char *name, int number) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_INT);
    g_value_set_int(&value, number);
    return thimble_set_value(operation, name, &value);
}

static inline gboolean thimble_set_double(
    VipsOperation *operation, const char *name, double number) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, number);
    return thimble_set_value(operation, name, &value);
}

static inline gboolean thimble_set_bool(
    VipsOperation *operation, const char *name, gboolean flag) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_BOOLEAN);
    g_value_set_boolean(&value, flag);
    return thimble_set_value(operation, name, &value);
}

/// Sets a VipsImage, VipsSource or VipsTarget; the operation takes its own reference.
static inline gboolean thimble_set_object(
    VipsOperation *operation, const char *name, void *object) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_OBJECT_TYPE(object));
    g_value_set_object(&value, object);
    return thimble_set_value(operation, name, &value);
}

static inline gboolean thimble_set_doubles(
    VipsOperation *operation, const char *name, const double *numbers, int count) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, VIPS_TYPE_ARRAY_DOUBLE);
    vips_value_set_array_double(&value, numbers, count);
    return thimble_set_value(operation, name, &value);
}

/// Sets an array of images; the operation takes its own references.
static inline gboolean thimble_set_images(
    VipsOperation *operation, const char *name, VipsImage *const *images, int count) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, VIPS_TYPE_ARRAY_IMAGE);
    vips_value_set_array_image(&value, count);
    VipsImage **array = vips_value_get_array_image(&value, NULL);
    for (int i = 0; i < count; i++) {
        g_object_ref(images[i]);
        array[i] = images[i];
    }
    return thimble_set_value(operation, name, &value);
}

/// Sets an enumeration by its nickname; 0 for success, as in libvips.
static inline int thimble_set_enum(
    VipsOperation *operation, const char *name, const char *nickname) {
    return vips_object_set_argument_from_string(VIPS_OBJECT(operation), name, nickname);
}

/// An output image of a built operation, with a reference for the caller; NULL if missing.
static inline VipsImage *thimble_get_image(VipsOperation *operation, const char *name) {
    if (!g_object_class_find_property(G_OBJECT_GET_CLASS(operation), name))
        return NULL;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, VIPS_TYPE_IMAGE);
    g_object_get_property(G_OBJECT(operation), name, &value);
    VipsImage *image = VIPS_IMAGE(g_value_dup_object(&value));
    g_value_unset(&value);
    return image;
}

static inline double thimble_get_double(VipsOperation *operation, const char *name) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_DOUBLE);
    g_object_get_property(G_OBJECT(operation), name, &value);
    double number = g_value_get_double(&value);
    g_value_unset(&value);
    return number;
}

static inline void thimble_release_outputs(VipsOperation *operation) {
    vips_object_unref_outputs(VIPS_OBJECT(operation));
}

/// Calls `eval` with the image, its progress and `context` during computation.
///
/// `destroy` receives `context` when the image is freed.
static inline void thimble_on_progress(
    VipsImage *image, void (*eval)(VipsImage *, VipsProgress *, void *), void *context,
    void (*destroy)(void *, GClosure *)) {
    vips_image_set_progress(image, TRUE);
    g_signal_connect_data(image, "eval", G_CALLBACK(eval), context, destroy, (GConnectFlags) 0);
}

/// Calls `read` with the source, a buffer and its length when bytes are needed.
///
/// `read` returns the number of bytes, 0 at the end, or -1 on failure. `destroy` receives `context`
/// when the source is freed.
static inline VipsSource *thimble_source_reading(
    gint64 (*read)(VipsSourceCustom *, void *, gint64, void *), void *context,
    void (*destroy)(void *, GClosure *)) {
    VipsSourceCustom *source = vips_source_custom_new();
    g_signal_connect_data(
        source, "read", G_CALLBACK(read), context, destroy, (GConnectFlags) 0);
    return VIPS_SOURCE(source);
}

/// Creates an image whose pixels `generate` computes.
///
/// `destroy` receives `context` when the image is freed, or on failure.
static inline VipsImage *thimble_image_generating(
    int width, int height, int bands, VipsBandFormat format, VipsInterpretation interpretation,
    VipsGenerateFn generate, void *context, void (*destroy)(void *)) {
    VipsImage *image = vips_image_new();
    g_object_set_data_full(G_OBJECT(image), "thimble-rows", context, destroy);
    vips_image_init_fields(
        image, width, height, bands, format, VIPS_CODING_NONE, interpretation, 1, 1);
    VipsImage *inputs[] = {NULL};
    if (vips_image_pipeline_array(image, VIPS_DEMAND_STYLE_FATSTRIP, inputs) ||
        vips_image_generate(image, NULL, generate, NULL, context, NULL)) {
        g_object_unref(image);
        return NULL;
    }
    return image;
}

/// Attaches `object` to an image; `destroy` receives it when the image is freed.
static inline void thimble_keep(VipsImage *image, void *object, void (*destroy)(void *)) {
    g_object_set_data_full(G_OBJECT(image), "thimble-memory", object, destroy);
}

static inline void *thimble_region_row(VipsRegion *region, int y) {
    return VIPS_REGION_ADDR(region, region->valid.left, y);
}

/// Sends libvips' log messages below error level to `handler` instead of the terminal; errors use
/// the error buffer.
static inline void thimble_handle_messages(GLogFunc handler) {
    GLogLevelFlags below_error = (GLogLevelFlags) (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE |
        G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG);
    g_log_set_handler("VIPS", below_error, handler, NULL);
}

static inline int thimble_build(VipsOperation *operation) {
    return vips_object_build(VIPS_OBJECT(operation));
}

/// Sets the number of rows that libvips computes at a time.
///
/// Only the library's command-line options expose it, so this parses synthetic arguments.
static inline gboolean thimble_set_strip_height(int rows) {
    char tile[40], thin[40], fat[40];
    g_snprintf(tile, sizeof tile, "--vips-tile-height=%d", rows);
    g_snprintf(thin, sizeof thin, "--vips-thinstrip-height=%d", rows);
    g_snprintf(fat, sizeof fat, "--vips-fatstrip-height=%d", rows);
    char *arguments[] = {(char *) "thimble", tile, thin, fat, NULL};
    char **parsed = arguments;
    int count = 4;
    GOptionContext *context = g_option_context_new(NULL);
    GOptionGroup *group = g_option_group_new("vips", "libvips", "libvips", NULL, NULL);
    vips_add_option_entries(group);
    g_option_context_set_main_group(context, group);
    gboolean done = g_option_context_parse(context, &count, &parsed, NULL);
    g_option_context_free(context);
    return done;
}

/// Loads a module from the folder of libvips' modules, if present and not built into the library.
///
/// Written in C because reading the mappings with Foundation costs every worker half a megabyte.
static inline void thimble_load_module(const char *name) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL)
        return;
    char line[4096], path[8192];
    while (fgets(line, sizeof(line), maps) != NULL) {
        // The path is the last column (proc_pid_maps(5)).
        char *folder = strchr(line, '/');
        char *file = folder == NULL ? NULL : strstr(folder, "/libvips.so");
        if (file == NULL)
            continue;
        *file = 0;
        snprintf(
            path, sizeof(path), "%s/vips-modules-%d.%d/%s", folder, vips_version(0),
            vips_version(1), name);
        GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
        if (module != NULL)
            g_module_make_resident(module);
        break;
    }
    fclose(maps);
}
