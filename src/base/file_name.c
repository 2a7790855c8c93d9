/* file_name.c - compares components of names from the last to the first: "a/./b//../c" is "a/c". */
#include "base/file_name.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct component {
    const char *text;
    size_t length;
};

struct walk {
    const char *path;
    size_t left; /* characters before the component that was returned last */
    size_t up;   /* components that ".." has still to cancel */
};

static int is(struct component component, const char *name)
{
    return component.length == strlen(name) && memcmp(component.text, name, component.length) == 0;
}

/* Returns the previous component; at the beginning one of length 0. It returns ".." only if that
 * leads out of the folder in which a relative path begins. */
static struct component before(struct walk *walk)
{
    struct component component = {walk->path, 0};

    while (walk->left > 0) {
        const size_t end = walk->left;

        while (walk->left > 0 && walk->path[walk->left - 1] != '/')
            walk->left--;
        component = (struct component){walk->path + walk->left, end - walk->left};
        walk->left -= walk->left > 0; /* the slash */
        if (component.length == 0 || is(component, "."))
            continue;
        if (is(component, ".."))
            walk->up++;
        else if (walk->up > 0)
            walk->up--;
        else
            return component;
    }
    component.length = 0;
    if (walk->up > 0 && *walk->path != '/') {
        walk->up--;
        component = (struct component){"..", 2};
    }
    return component;
}

int file_name_same(const char *one, const char *other)
{
    struct walk first = {one, strlen(one), 0}, second = {other, strlen(other), 0};
    struct component mine, others;

    do {
        mine = before(&first);
        others = before(&second);
        if (mine.length != others.length || memcmp(mine.text, others.text, mine.length) != 0)
            return 0;
    } while (mine.length > 0);
    return (*one == '/') == (*other == '/');
}

int file_name_is_device(const char *path)
{
    struct walk walk = {path, strlen(path), 0};
    struct component top = {"", 0}, second = top, third = top;

    for (struct component next; (next = before(&walk)).length > 0; top = next) {
        third = second;
        second = top;
    }
    if (*path != '/' || second.length == 0)
        return 0;
    return is(top, "proc") || (is(top, "dev") && !(is(second, "shm") && third.length > 0));
}

int file_name_opens(const char *path)
{
    FILE *file = fopen(path, "r+b");

    if (!file)
        file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

int file_name_is_pipe(const char *path)
{
    FILE *file = fopen(path, "r+b");
    const int is_pipe = file && fseek(file, 0, SEEK_END) != 0;

    if (file)
        fclose(file);
    return is_pipe;
}

int file_name_exists(const char *path)
{
    errno = 0;
#ifdef ENOENT
    return file_name_opens(path) || (errno != 0 && errno != ENOENT);
#else
    return file_name_opens(path);
#endif
}

int file_name_is_taken(const char *path)
{
    return file_name_opens(path) || rename(path, path) == 0;
}
