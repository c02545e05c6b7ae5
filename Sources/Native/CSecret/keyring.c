// strdup and dlsym's RTLD_LOCAL are POSIX.
#define _DEFAULT_SOURCE
#include "CSecret.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The few types of GLib and libsecret whose layout is part of their interface; the rest are pointers.
typedef struct list {
    void *data;
    struct list *next, *previous;
} list;

typedef struct {
    uint32_t domain;
    int code;
    char *message;
} fault;

typedef struct {
    const char *name;
    int flags;
    struct {
        const char *name;
        int type;
    } attributes[32];
    int reserved;
    void *reserved_too[7];
} schema;

enum { OPEN_SESSION = 1 << 1, SEARCH_ALL = 1 << 1, CREATE_REPLACE = 1 << 1 };

// The plain forms of the `secret_password_…` functions unlock what is locked, and so may ask; these do not.
static struct {
    void *(*service)(int flags, void *cancellable, fault **error);
    void *(*collection)(void *service, const char *alias, int flags, void *cancellable, fault **error);
    int (*collection_locked)(void *collection);
    list *(*search)(void *service, const schema *, void *attributes, int flags, void *cancellable, fault **error);
    int (*item_locked)(void *item);
    int (*load)(void *item, void *cancellable, fault **error);
    void *(*secret)(void *item);
    void *(*attributes)(void *item);
    int (*delete)(void *item, void *cancellable, fault **error);
    void *(*create)(
        void *collection, const schema *, void *attributes, const char *label, void *value, int flags,
        void *cancellable, fault **error
    );
    void *(*value_new)(const char *bytes, ptrdiff_t count, const char *content_type);
    const char *(*value_bytes)(void *value, size_t *count);
    void (*value_free)(void *value);
    void *(*table_new)(void *hash, void *equal);
    int (*table_set)(void *table, void *key, void *value);
    void *(*table_get)(void *table, const void *key);
    void (*table_free)(void *table);
    void (*list_free)(list *);
    void (*object_free)(void *object);
    void (*fault_free)(fault *);
    void *string_hash, *string_equal;
} api;

static const struct {
    size_t offset;
    const char *name;
} symbols[] = {
#define SYMBOL(member, name) {__builtin_offsetof(__typeof__(api), member), name}
    SYMBOL(service, "secret_service_get_sync"),
    SYMBOL(collection, "secret_collection_for_alias_sync"),
    SYMBOL(collection_locked, "secret_collection_get_locked"),
    SYMBOL(search, "secret_service_search_sync"),
    SYMBOL(item_locked, "secret_item_get_locked"),
    SYMBOL(load, "secret_item_load_secret_sync"),
    SYMBOL(secret, "secret_item_get_secret"),
    SYMBOL(attributes, "secret_item_get_attributes"),
    SYMBOL(delete, "secret_item_delete_sync"),
    SYMBOL(create, "secret_item_create_sync"),
    SYMBOL(value_new, "secret_value_new"),
    SYMBOL(value_bytes, "secret_value_get"),
    SYMBOL(value_free, "secret_value_unref"),
    // libsecret brings GLib along, and a handle finds what its library depends on.
    SYMBOL(table_new, "g_hash_table_new"),
    SYMBOL(table_set, "g_hash_table_insert"),
    SYMBOL(table_get, "g_hash_table_lookup"),
    SYMBOL(table_free, "g_hash_table_unref"),
    SYMBOL(list_free, "g_list_free"),
    SYMBOL(object_free, "g_object_unref"),
    SYMBOL(fault_free, "g_error_free"),
    SYMBOL(string_hash, "g_str_hash"),
    SYMBOL(string_equal, "g_str_equal"),
};
enum { COUNT = sizeof symbols / sizeof symbols[0] };
_Static_assert(sizeof api == COUNT * sizeof(void *), "a member without its symbol");

static const schema items = {
    .name = "breeze.Secret",
    .attributes = {{"application", 0}, {"name", 0}},
};
static char application[] = "breeze";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_bound;
static char bind_fault[256];

static void bind_library(void) {
    // Never closed: GLib's types cannot be taken back.
    void *library = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(bind_fault, sizeof bind_fault, "libsecret-1.so.0 is not installed");
        return;
    }
    for (size_t index = 0; index < COUNT; index++) {
        void *address = dlsym(library, symbols[index].name);
        if (address == NULL) {
            snprintf(bind_fault, sizeof bind_fault, "libsecret-1.so.0 lacks %s", symbols[index].name);
            return;
        }
        memcpy((char *)&api + symbols[index].offset, &address, sizeof address);
    }
    is_bound = true;
}

static void tell(char **why, const char *words) { *why = words == NULL ? NULL : strdup(words); }

static void tell_fault(char **why, fault *error, const char *otherwise) {
    tell(why, error != NULL ? error->message : otherwise);
    if (error != NULL) api.fault_free(error);
}

typedef struct {
    void *service, *collection;
} keyring;

static void leave(keyring *keyring) {
    if (keyring->collection != NULL) api.object_free(keyring->collection);
    if (keyring->service != NULL) api.object_free(keyring->service);
}

// The service and its default collection, where that one is unlocked.
static csecret_result enter(keyring *keyring, char **why) {
    keyring->service = keyring->collection = NULL;
    *why = NULL;
    // Without an address GLib would start a bus of its own, which nobody else talks to.
    const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
    if (address == NULL || *address == '\0') {
        tell(why, "there is no session bus, since DBUS_SESSION_BUS_ADDRESS is not set");
        return CSECRET_ABSENT;
    }
    pthread_once(&once, bind_library);
    if (!is_bound) {
        tell(why, bind_fault);
        return CSECRET_ABSENT;
    }
    fault *error = NULL;
    keyring->service = api.service(OPEN_SESSION, NULL, &error);
    if (keyring->service == NULL) {
        tell_fault(why, error, NULL);
        return CSECRET_ABSENT;
    }
    keyring->collection = api.collection(keyring->service, "default", 0, NULL, &error);
    if (keyring->collection == NULL) {
        tell_fault(why, error, "it has no default collection");
        leave(keyring);
        return CSECRET_ABSENT;
    }
    if (!api.collection_locked(keyring->collection)) return CSECRET_OK;
    leave(keyring);
    return CSECRET_LOCKED;
}

csecret_result csecret_keyring_state(char **why) {
    keyring keyring;
    csecret_result result = enter(&keyring, why);
    if (result == CSECRET_OK) leave(&keyring);
    return result;
}

// Of one name, or with NULL of all.
static void *attributes_of(const char *name) {
    void *table = api.table_new(api.string_hash, api.string_equal);
    api.table_set(table, "application", application);
    if (name != NULL) api.table_set(table, "name", (void *)name);
    return table;
}

// Every unlocked item of that name is given to `visit`, which says whether to go on.
static csecret_result each(
    const char *name, bool (*visit)(void *item, void *context, fault **error), void *context, char **why
) {
    keyring keyring;
    csecret_result result = enter(&keyring, why);
    if (result != CSECRET_OK) return result;
    fault *error = NULL;
    void *attributes = attributes_of(name);
    list *found = api.search(keyring.service, &items, attributes, SEARCH_ALL, NULL, &error);
    api.table_free(attributes);
    result = CSECRET_MISSING;
    bool goes_on = error == NULL;
    for (list *node = found; node != NULL; node = node->next) {
        if (goes_on && !api.item_locked(node->data)) {
            goes_on = visit(node->data, context, &error);
            result = CSECRET_OK;
        }
        api.object_free(node->data);
    }
    if (found != NULL) api.list_free(found);
    leave(&keyring);
    if (error == NULL) return result;
    tell_fault(why, error, NULL);
    return CSECRET_FAILED;
}

typedef struct {
    char *bytes;
    size_t count;
} buffer;

static bool take_value(void *item, void *context, fault **error) {
    buffer *buffer = context;
    if (!api.load(item, NULL, error)) return true;
    void *value = api.secret(item);
    if (value == NULL) return true;
    size_t count = 0;
    const char *bytes = api.value_bytes(value, &count);
    buffer->bytes = malloc(count + 1);
    if (buffer->bytes != NULL) {
        memcpy(buffer->bytes, bytes, count);
        buffer->bytes[count] = 0;
        buffer->count = count;
    }
    api.value_free(value);
    return false;
}

csecret_result csecret_keyring_read(const char *name, char **value, size_t *count, char **why) {
    buffer found = {NULL, 0};
    csecret_result result = each(name, take_value, &found, why);
    if (result == CSECRET_OK && found.bytes == NULL) {
        tell(why, "the item has no value");
        return CSECRET_FAILED;
    }
    *value = found.bytes;
    *count = found.count;
    return result;
}

csecret_result csecret_keyring_write(
    const char *name, const char *label, const char *value, size_t count, char **why
) {
    keyring keyring;
    csecret_result result = enter(&keyring, why);
    if (result != CSECRET_OK) return result;
    fault *error = NULL;
    void *attributes = attributes_of(name);
    void *secret = api.value_new(value, (ptrdiff_t)count, "text/plain");
    void *item = api.create(
        keyring.collection, &items, attributes, label, secret, CREATE_REPLACE, NULL, &error
    );
    api.value_free(secret);
    api.table_free(attributes);
    if (item != NULL) api.object_free(item);
    leave(&keyring);
    if (item != NULL) return CSECRET_OK;
    tell_fault(why, error, NULL);
    return CSECRET_FAILED;
}

static bool delete_item(void *item, void *context, fault **error) {
    (void)context;
    return api.delete(item, NULL, error);
}

csecret_result csecret_keyring_remove(const char *name, char **why) {
    return each(name, delete_item, NULL, why);
}

static bool take_name(void *item, void *context, fault **error) {
    (void)error;
    buffer *names = context;
    void *attributes = api.attributes(item);
    const char *name = attributes == NULL ? NULL : api.table_get(attributes, "name");
    size_t count = name == NULL ? 0 : strlen(name);
    char *longer = count == 0 ? NULL : realloc(names->bytes, names->count + count + 2);
    if (longer != NULL) {
        memcpy(longer + names->count, name, count);
        names->bytes = longer;
        names->count += count + 1;
        longer[names->count - 1] = '\n';
        longer[names->count] = 0;
    }
    if (attributes != NULL) api.table_free(attributes);
    return true;
}

csecret_result csecret_keyring_names(char **names, char **why) {
    buffer found = {NULL, 0};
    csecret_result result = each(NULL, take_name, &found, why);
    *names = found.bytes;
    return result;
}

#endif
