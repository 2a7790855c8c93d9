/* in_process.c - runs a program by a call of its function.
 *
 * Files are in memory. As on a disk, names and open streams hold a file: after a rename over a
 * name, the old file keeps its other names, and all names of a file see the bytes written to it.
 * There is one folder, the current one. The files that terminal.c reads exist, and say that
 * standard error is no terminal.
 *
 * A signal is a call of its handler. A signal without a handler cannot end the program inside a
 * call, so it sets faults.dead. From then on every call is refused and has no effect, so that the
 * program's function returns soon. */
#include "in_process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/programs.h"

FILE *__wrap_stderr;
extern FILE *__real_stdin, *__real_stdout, *__real_stderr;

static void demand(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(__real_stderr, "in_process.c: %s\n", what);
    abort();
}

/* ---- Files of memory --------------------------------------------------- */

struct file {
    char *bytes; /* [capacity] followed by a NUL */
    size_t size;
    size_t capacity;
    unsigned holders; /* number of names and open streams */
};

enum { MOST_NAMES = 128, NAME = 64 };

static struct {
    char name[NAME];
    struct file *file;
} names[MOST_NAMES];
static size_t name_count;

static struct {
    struct file *file; /* NULL: this number is free */
    size_t position;
    int reads;
    int writes;
} open_files[MOST_FILES];

static struct file folder; /* the file "/" */

static struct file *file_new(void)
{
    struct file *file = __real_calloc(1, sizeof *file);

    demand(file != NULL, "no memory for a file");
    file->capacity = 1024;
    file->bytes = __real_calloc(file->capacity, 1);
    demand(file->bytes != NULL, "no memory for a file");
    return file;
}

static void release(struct file *file)
{
    if (--file->holders > 0 || file == &folder)
        return;
    __real_free(file->bytes);
    __real_free(file);
}

/* Returns the position of a name; name_count if there is none. */
static size_t find(const char *name)
{
    size_t k = 0;

    while (k < name_count && strcmp(names[k].name, name) != 0)
        k++;
    return k;
}

static void bind(const char *name, struct file *file)
{
    const size_t k = find(name);

    file->holders++;
    if (k < name_count) {
        release(names[k].file);
    } else {
        demand(name_count < MOST_NAMES && strlen(name) < NAME, "too many names, or a long one");
        strcpy(names[name_count++].name, name);
    }
    names[k].file = file;
}

static void unbind(size_t k)
{
    release(names[k].file);
    names[k] = names[--name_count];
}

static void resize(struct file *file, size_t size)
{
    if (size >= file->capacity) {
        file->capacity = 2 * size;
        file->bytes = __real_realloc(file->bytes, file->capacity);
        demand(file->bytes != NULL, "no memory for a file");
    }
    if (size > file->size)
        memset(file->bytes + file->size, '\0', size - file->size);
    file->size = size;
    file->bytes[size] = '\0';
}

struct content content_of(const char *name)
{
    const size_t k = find(name);
    struct content content = {NULL, 0};

    if (k < name_count)
        content = (struct content){names[k].file->bytes, names[k].file->size};
    return content;
}

void content_put(const char *name, const char *bytes, size_t size)
{
    struct file *file = file_new();

    resize(file, size);
    memcpy(file->bytes, bytes, size);
    bind(name, file);
}

void content_link(const char *name, const char *new_name)
{
    const size_t k = find(name);

    demand(k < name_count, name);
    bind(new_name, names[k].file);
}

void content_remove(const char *name)
{
    const size_t k = find(name);

    if (k < name_count)
        unbind(k);
}

int content_is_same(const char *one, const char *other)
{
    const size_t j = find(one), k = find(other);

    return j < name_count && k < name_count && names[j].file == names[k].file;
}

size_t content_count(void)
{
    return name_count;
}

const char *content_name(size_t position)
{
    return names[position].name;
}

/* ---- Files as faults.c asks for them ----------------------------------- */

static int open_as(struct file *file, const char *mode)
{
    int number = 0;

    while (number < MOST_FILES && open_files[number].file)
        number++;
    demand(number < MOST_FILES, "too many open files");
    file->holders++;
    open_files[number].file = file;
    open_files[number].position = 0;
    open_files[number].reads = *mode == 'r' || strchr(mode, '+');
    open_files[number].writes = *mode == 'w' || strchr(mode, '+');
    return number;
}

int file_open(const char *path, const char *mode)
{
    const size_t k = find(path);
    const int is_folder = strcmp(path, "/") == 0;

    if (is_folder ? *mode == 'w' || strchr(mode, '+')
                  : k == name_count && (*mode != 'w' || strchr(path, '/'))) {
        errno = is_folder ? EISDIR : ENOENT;
        return -1;
    }
    if (is_folder)
        return open_as(&folder, mode);
    if (k == name_count)
        content_put(path, "", 0);
    else if (*mode == 'w')
        resize(names[k].file, 0);
    return open_as(names[k].file, mode);
}

int file_temporary(void)
{
    return open_as(file_new(), "w+b");
}

long file_read(int number, char *bytes, size_t size)
{
    const struct file *file = open_files[number].file;
    const size_t position = open_files[number].position;
    const size_t left = position < file->size ? file->size - position : 0;

    if (file == &folder || !open_files[number].reads) {
        errno = file == &folder ? EISDIR : EBADF;
        return -1;
    }
    if (size > left)
        size = left;
    memcpy(bytes, file->bytes + position, size);
    open_files[number].position += size;
    return (long)size;
}

long file_write(int number, const char *bytes, size_t size)
{
    struct file *file = open_files[number].file;
    const size_t position = open_files[number].position;

    if (!open_files[number].writes) {
        errno = EBADF;
        return -1;
    }
    if (position + size > file->size)
        resize(file, position + size);
    memcpy(file->bytes + position, bytes, size);
    open_files[number].position += size;
    return (long)size;
}

long file_seek(int number, long offset, int whence)
{
    const long from = whence == SEEK_SET   ? 0
                      : whence == SEEK_CUR ? (long)open_files[number].position
                                           : (long)open_files[number].file->size;

    if (from + offset < 0) {
        errno = EINVAL;
        return -1;
    }
    open_files[number].position = (size_t)(from + offset);
    return from + offset;
}

int file_halve(int number)
{
    struct file *file = open_files[number].file;

    resize(file, file->size / 2);
    return 0;
}

int file_close(int number)
{
    release(open_files[number].file);
    open_files[number].file = NULL;
    return 0;
}

int file_rename(const char *from, const char *to)
{
    const size_t k = find(from);

    if (k == name_count) {
        errno = ENOENT;
        return -1;
    }
    if (strcmp(from, to) == 0)
        return 0;
    bind(to, names[k].file);
    unbind(find(from));
    return 0;
}

int __real_remove(const char *path);
int __wrap_remove(const char *path);

int __wrap_remove(const char *path)
{
    const size_t k = find(path);

    if (!faults.active)
        return __real_remove(path);
    if (k == name_count || faults.dead) {
        errno = ENOENT;
        return -1;
    }
    unbind(k);
    return 0;
}

/* ---- Signals ----------------------------------------------------------- */

typedef void handler(int number);

handler *__wrap_signal(int number, handler *does);
handler *__wrap___sysv_signal(int number, handler *does); /* glibc's name for C99's signal */
int __wrap_raise(int number);

static handler *handlers[2]; /* of SIGINT and SIGTERM */

static handler **handler_of(int number)
{
    demand(number == SIGINT || number == SIGTERM, "another signal");
    return &handlers[number == SIGTERM];
}

handler *__wrap_signal(int number, handler *does)
{
    handler **place = handler_of(number), *before = *place;

    *place = does;
    return before;
}

handler *__wrap___sysv_signal(int number, handler *does)
{
    return __wrap_signal(number, does);
}

int __wrap_raise(int number)
{
    handler *does = *handler_of(number);

    if (does == SIG_DFL)
        faults.dead = 1;
    else if (does != SIG_IGN && !faults.dead)
        does(number);
    return 0;
}

/* ---- Runs -------------------------------------------------------------- */

static void restore_streams(void)
{
    __wrap_stdin = __real_stdin;
    __wrap_stdout = __real_stdout;
    __wrap_stderr = __real_stderr;
}

static __attribute__((constructor)) void begin(void)
{
    static const char descriptor[] = "pos:\t0\nflags:\t0100002\nmnt_id:\t20\n";
    static const char mounts[] = "19 1 0:17 / /dev/pts rw - devpts devpts rw\n"
                                 "20 1 0:18 / / rw - ext4 /dev/root rw\n";

    restore_streams();
    content_put("/proc/self/fdinfo/2", descriptor, sizeof descriptor - 1);
    content_put("/proc/self/mountinfo", mounts, sizeof mounts - 1);
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} programs[] = {{"train", training_run},
                {"predict", prediction_run},
                {"scale", scaling_run},
                {"convert", converting_run},
                {"inspect", inspection_run}};

static int call(const char *line)
{
    enum { MOST_WORDS = 64, LINE = 1024, PROGRAMS = sizeof programs / sizeof *programs };
    char text[LINE], *word[MOST_WORDS + 1];
    int count = 0, k = 0;

    demand(strlen(line) < LINE, "a long line");
    strcpy(text, line);
    for (char *p = strtok(text, " "); p; p = strtok(NULL, " ")) {
        demand(count < MOST_WORDS, "too many words");
        word[count++] = p;
    }
    word[count] = NULL;
    while (k < PROGRAMS && strcmp(programs[k].name, word[0]) != 0)
        k++;
    demand(k < PROGRAMS, "no program of that name");
    return arguments_run(count, word, programs[k].run);
}

/* Frees the blocks and closes the files that the run has left. */
static void clear(void)
{
    for (size_t k = 0; k < faults.blocks; k++)
        __real_free(faults.block[k]);
    for (int k = 0; k < MOST_FILES; k++)
        if (open_files[k].file)
            file_close(k);
    handlers[0] = handlers[1] = SIG_DFL;
}

struct ending run(const char *line, const char *input, const struct fault *fault)
{
    struct ending ending;
    size_t before;

    content_put("standard output", "", 0);
    content_put("standard error", "", 0);
    faults_begin(fault, file_open(input, "rb"), file_open("standard output", "wb"));
    __wrap_stderr = faults_stream(file_open("standard error", "wb"));
    setvbuf(__wrap_stderr, NULL, _IONBF, 0);
    ending.status = call(line);
    faults.active = 0;
    if (faults.dead)
        ending.status = ENDED_BY_SIGINT;
    ending.blocks = faults.blocks;
    ending.streams = faults.streams;
    memcpy(ending.calls, faults.calls, sizeof ending.calls);
    before = content_of("standard output").size;
    fclose(__wrap_stdin);
    fclose(__wrap_stdout);
    fclose(__wrap_stderr);
    restore_streams();
    clear();
    ending.out = content_of("standard output");
    ending.err = content_of("standard error");
    ending.unflushed = ending.out.size - before;
    return ending;
}
