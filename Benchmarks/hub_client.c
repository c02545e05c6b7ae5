// Asks an HTTP server on loopback as fast as one thread can, or reads many of its streams: it shares the machine with
// what it measures, so it does as little as it can, and tells what CPU time that took. Prints one line of JSON.
//
//   hub_client load PORT REQUESTS EXPECTED CONNECTIONS SECONDS
//   hub_client stream PORT REQUESTS ENDS CONNECTIONS INTERVAL_US SPREAD_US
//
// REQUESTS is a file: before each request's bytes their number, in a line of its own; they are sent in turns, and each
// once where SECONDS is 0. EXPECTED is a text that is in every right answer. ENDS is a file with the length of the
// answer's text at the end of each of its pieces, a number a line: piece K is due INTERVAL_US times K after its request
// was sent, and came with the event that brought its last byte. Streams begin spread over SPREAD_US.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// An answer of 16 vectors of 384 numbers has some 150 kB.
enum { BUFFER = 1 << 18, EVENTS = 256 };

struct connection {
    int descriptor;
    size_t filled;
    // When its request was sent, and until then, when it is to be.
    int64_t begun;
    // `load`: bytes of the answer's head and body together; 0 until the head is there.
    size_t whole;
    // `stream`: bytes of the answer's text, and pieces of it, that came so far.
    long length, pieces;
    int is_streaming, is_over;
    char buffer[BUFFER];
};

struct list {
    int64_t *values;
    size_t count, room;
};

static struct sockaddr_in address = {.sin_family = AF_INET};
static char *expected;
// In turns.
static struct request {
    const char *bytes;
    size_t length;
} *requests;
static size_t request_count, asked;
static struct list times, ends;
static long errors, reopened;
static char first_error[200];

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void give_up(const char *what) {
    fprintf(stderr, "hub_client: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void note(struct list *list, int64_t value) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1 << 16;
        list->values = realloc(list->values, list->room * sizeof *list->values);
        if (!list->values) give_up("memory");
    }
    list->values[list->count++] = value;
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Of a sorted list, in seconds.
static double quantile(const struct list *list, double share) {
    if (!list->count) return 0;
    size_t place = (size_t)(share * (double)list->count);
    return (double)list->values[place < list->count ? place : list->count - 1] / 1e9;
}

static void print_quantiles(struct list *list) {
    qsort(list->values, list->count, sizeof *list->values, ascending);
    printf("\"p50\": %.9f, \"p95\": %.9f, \"p99\": %.9f, \"most\": %.9f", quantile(list, 0.5), quantile(list, 0.95),
           quantile(list, 0.99), quantile(list, 1));
}

static char *contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) give_up(path);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length) give_up(path);
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

static void read_requests(const char *path) {
    size_t length;
    char *place = contents(path, &length), *end = place + length;
    while (place < end) {
        char *bytes = strchr(place, '\n') + 1;
        requests = realloc(requests, (request_count + 1) * sizeof *requests);
        if (!requests) give_up("memory");
        requests[request_count++] = (struct request){bytes, strtoul(place, NULL, 10)};
        place = bytes + requests[request_count - 1].length;
    }
    if (!request_count) give_up("no request");
}

static void fail(struct connection *connection, const char *why) {
    if (!errors++) {
        connection->buffer[connection->filled] = 0;
        snprintf(first_error, sizeof first_error, "%s: %.150s", why, connection->buffer);
        for (char *c = first_error; *c; c++)
            if (*c == '"' || *c == '\\' || (unsigned char)*c < 32 || (unsigned char)*c > 126) *c = ' ';
    }
}

static void open_connection(struct connection *connection, int queue) {
    int on = 1;
    connection->descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address)) give_up("connect");
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(queue, EPOLL_CTL_ADD, connection->descriptor, &event)) give_up("epoll_ctl");
    connection->filled = connection->whole = 0;
}

// A request fits into an empty socket's buffer.
static void ask(struct connection *connection) {
    struct request request = requests[asked++ % request_count];
    connection->begun = now(CLOCK_MONOTONIC);
    if (write(connection->descriptor, request.bytes, request.length) != (ssize_t)request.length) give_up("write");
}

// Whether something came; the end of the connection is an error.
static int receive(struct connection *connection) {
    size_t room = BUFFER - 1 - connection->filled;
    ssize_t count = read(connection->descriptor, connection->buffer + connection->filled, room);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count <= 0) {
        fail(connection, "the connection ended");
        connection->is_over = 1;
        return 0;
    }
    connection->filled += (size_t)count;
    connection->buffer[connection->filled] = 0;
    return 1;
}

static int is_fine(const char *head) { return !strncmp(head, "HTTP/1.1 200 ", 13); }

static int is_answered(struct connection *connection) {
    if (!connection->whole) {
        char *end = strstr(connection->buffer, "\r\n\r\n");
        if (!end) return 0;
        char *field = strcasestr(connection->buffer, "content-length:");
        if (!field || field > end) {
            fail(connection, "an answer without its length");
            connection->is_over = 1;
            return 0;
        }
        connection->whole = (size_t)(end + 4 - connection->buffer) + strtoul(field + 15, NULL, 10);
        if (connection->whole >= BUFFER) {
            errno = EMSGSIZE;
            give_up("an answer");
        }
    }
    return connection->filled >= connection->whole;
}

static void load(int queue, struct connection *all, int count, double seconds) {
    struct epoll_event events[EVENTS];
    long answers = 0;
    int64_t start = now(CLOCK_MONOTONIC), end = start + (int64_t)(seconds * 1e9), last = start;
    int64_t cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count; i++) ask(&all[i]);
    // Every request that was sent is waited for.
    for (int running = count; running > 0;) {
        int ready = epoll_wait(queue, events, EVENTS, 10000);
        if (!ready) {
            if (!errors) snprintf(first_error, sizeof first_error, "no answer for ten seconds");
            errors += running;
            break;
        }
        for (int i = 0; i < ready; i++) {
            struct connection *one = events[i].data.ptr;
            if (one->is_over || !receive(one) || !is_answered(one)) {
                if (one->is_over) running--, close(one->descriptor);
                continue;
            }
            last = now(CLOCK_MONOTONIC);
            note(&times, last - one->begun);
            answers++;
            if (!is_fine(one->buffer) || !strstr(one->buffer, expected)) fail(one, "not what was expected");
            // Some servers want a new connection after so many requests.
            if (strcasestr(one->buffer, "\r\nconnection: close\r\n")) {
                close(one->descriptor);
                open_connection(one, queue);
                reopened++;
            }
            one->filled = one->whole = 0;
            if (seconds > 0 ? last < end : asked < request_count) ask(one);
            else running--;
        }
    }
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    double taken = (double)(last - start) / 1e9;
    printf("{\"requests\": %ld, \"seconds\": %.6f, \"errors\": %ld, \"reopened\": %ld, \"firstError\": \"%s\", "
           "\"clientSeconds\": %.6f, ",
           answers, taken, errors, reopened, first_error, (double)cpu / 1e9);
    print_quantiles(&times);
    printf("}\n");
}

// Counts the text of the events that are whole. It has no characters that JSON escapes.
static void read_events(struct connection *one, int64_t interval) {
    static const char field[] = "\"delta\":{\"content\":\"", done[] = "data: [DONE]";
    int64_t time = now(CLOCK_MONOTONIC);
    char *place = one->buffer, *end;
    if (!one->is_streaming) {
        end = strstr(place, "\r\n\r\n");
        if (!end) return;
        if (!is_fine(place)) {
            fail(one, "refused");
            one->is_over = 1;
            return;
        }
        one->is_streaming = 1;
        place = end + 4;
    }
    while ((end = memmem(place, (size_t)(one->buffer + one->filled - place), "\n\n", 2))) {
        char *text = memmem(place, (size_t)(end - place), field, sizeof field - 1);
        if (text) {
            text += sizeof field - 1;
            one->length += (char *)memchr(text, '"', (size_t)(end - text)) - text;
            while (one->pieces < (long)ends.count && ends.values[one->pieces] <= one->length)
                note(&times, time - (one->begun + interval * one->pieces++));
        } else if (memmem(place, (size_t)(end - place), done, sizeof done - 1)) {
            one->is_over = 1;
        }
        place = end + 2;
    }
    one->filled = (size_t)(one->buffer + one->filled - place);
    memmove(one->buffer, place, one->filled);
}

static void finish(struct connection *one) {
    if (one->pieces != (long)ends.count) fail(one, "the stream ended early");
    close(one->descriptor);
}

static void stream(int queue, struct connection *all, int count, int64_t interval, int64_t spread) {
    struct epoll_event events[EVENTS];
    int begun = 0, most = 0, running = 0;
    int64_t start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    int64_t limit = start + spread + interval * (int64_t)ends.count + 20000000000;
    while (begun < count || running > 0) {
        int64_t time = now(CLOCK_MONOTONIC), due = start + spread * begun / count;
        if (begun < count && time >= due) {
            ask(&all[begun++]);
            if (++running > most) most = running;
            continue;
        }
        int pause = begun < count ? (int)((due - time) / 1000000) + 1 : 1000;
        int ready = epoll_wait(queue, events, EVENTS, pause);
        if (time > limit) {
            if (!errors) snprintf(first_error, sizeof first_error, "not over twenty seconds after its time");
            errors += running;
            break;
        }
        for (int i = 0; i < ready; i++) {
            struct connection *one = events[i].data.ptr;
            if (one->is_over) continue;
            if (receive(one)) read_events(one, interval);
            if (one->is_over) running--, finish(one);
        }
    }
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    double taken = (double)(now(CLOCK_MONOTONIC) - start) / 1e9;
    printf("{\"streams\": %d, \"mostAtOnce\": %d, \"pieces\": %zu, \"seconds\": %.6f, \"errors\": %ld, "
           "\"firstError\": \"%s\", \"clientSeconds\": %.6f, ",
           count, most, times.count, taken, errors, first_error, (double)cpu / 1e9);
    print_quantiles(&times);
    printf("}\n");
}

int main(int argument_count, char **arguments) {
    if (argument_count < 7) return 64;
    size_t length;
    int is_stream = !strcmp(arguments[1], "stream");
    if (is_stream && argument_count != 8) return 64;
    address.sin_port = htons((uint16_t)atoi(arguments[2]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    read_requests(arguments[3]);
    int count = atoi(arguments[5]), queue = epoll_create1(0);
    struct connection *all = calloc((size_t)count, sizeof *all);
    if (!all) give_up("memory");
    if (is_stream) {
        char *place = contents(arguments[4], &length), *next;
        for (;; place = next) {
            long value = strtol(place, &next, 10);
            if (next == place) break;
            note(&ends, value);
        }
        // Noting must not wait for the system's memory.
        times.room = ends.count * (size_t)count + 1;
        times.values = malloc(times.room * sizeof *times.values);
        if (!times.values) give_up("memory");
    } else {
        expected = arguments[4];
    }
    for (int i = 0; i < count; i++) open_connection(&all[i], queue);
    if (is_stream) stream(queue, all, count, atoll(arguments[6]) * 1000, atoll(arguments[7]) * 1000);
    else load(queue, all, count, atof(arguments[6]));
    return 0;
}
