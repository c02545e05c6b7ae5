// The least that loads a model: what Breeze's load time is held against. Prints wall and CPU seconds.
#include <llama.h>
#include <stdio.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void ignore(enum ggml_log_level level, const char *text, void *data) {
    (void)level, (void)text, (void)data;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    llama_log_set(ignore, NULL);
    double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    llama_backend_init();
    struct llama_model_params parameters = llama_model_default_params();
    parameters.n_gpu_layers = 0;
    struct llama_model *model = llama_model_load_from_file(arguments[1], parameters);
    if (!model) return 1;
    wall = now(CLOCK_MONOTONIC) - wall;
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("{\"wall\": %f, \"cpu\": %f}\n", wall, cpu);
    fflush(stdout);
    // Whoever reads it looks at this process from outside, too.
    getchar();
    llama_model_free(model);
    return 0;
}
