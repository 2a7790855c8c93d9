/* ranks.c - everyone lays out what it sends | everyone takes its part | everyone has it. */
#define _POSIX_C_SOURCE 200809L /* pthread.h */
#include "ranks.h"

#include <pthread.h>
#include <string.h>

struct hall;

/* A rank, and what it sends in the present call. */
struct rank {
    struct hall *hall;
    struct hinge_team team;
    rank_function *work;
    void *context;
    pthread_t thread;
    const char *send;
    const size_t *bytes; /* to each rank; NULL: all of count to each */
    size_t count;
    unsigned long calls, late;
    int failed;
};

/* Where they meet. */
struct hall {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int size, here, broken;
    unsigned long meetings;
    struct rank_failure failure;
    struct rank rank[MOST_RANKS];
};

/* Waits for all; 1 if one of them will not come. */
static int meet(struct hall *hall)
{
    unsigned long meeting;
    int broken;

    pthread_mutex_lock(&hall->lock);
    meeting = hall->meetings;
    if (++hall->here == hall->size) {
        hall->here = 0;
        hall->meetings++;
        pthread_cond_broadcast(&hall->change);
    }
    while (hall->meetings == meeting && !hall->broken)
        pthread_cond_wait(&hall->change, &hall->lock);
    broken = hall->meetings == meeting;
    pthread_mutex_unlock(&hall->lock);
    return broken;
}

static void leave(struct hall *hall)
{
    pthread_mutex_lock(&hall->lock);
    hall->broken = 1;
    pthread_cond_broadcast(&hall->change);
    pthread_mutex_unlock(&hall->lock);
}

/* Lays out what is sent, takes count[q] bytes from each rank q. */
static int transfer(struct rank *rank, char *receive, const size_t *count)
{
    struct hall *hall = rank->hall;
    const int own = rank->team.rank;

    rank->calls++;
    rank->late += (unsigned long)rank->failed;
    if (rank->failed || (hall->failure.rank == own && hall->failure.call == rank->calls)) {
        rank->failed = 1;
        leave(hall);
        return 1;
    }
    if ((rank->failed = meet(hall)))
        return 1;
    for (int q = 0; q < hall->size; q++) {
        const struct rank *other = &hall->rank[q];
        size_t before = 0;

        for (int p = 0; other->bytes && p < own; p++)
            before += other->bytes[p];
        if (count[q] > 0)
            memcpy(receive, other->send + before, count[q]);
        receive += count[q];
    }
    return rank->failed = meet(hall); /* before anyone sends anything else */
}

static int exchange(void *context, const void *send, const size_t *send_bytes, void *receive,
                    const size_t *receive_bytes)
{
    struct rank *rank = context;

    rank->send = send;
    rank->bytes = send_bytes;
    return transfer(rank, receive, receive_bytes);
}

static int gather(void *context, const void *send, void *receive, const size_t *bytes)
{
    struct rank *rank = context;

    rank->send = send;
    rank->bytes = NULL;
    return transfer(rank, receive, bytes);
}

static void *run(void *context)
{
    struct rank *rank = context;

    rank->work(rank->context, &rank->team);
    leave(rank->hall);
    return NULL;
}

unsigned long ranks_run(int size, rank_function *work, void *context,
                        const struct rank_failure *failure, unsigned long *late)
{
    struct hall hall = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .change = PTHREAD_COND_INITIALIZER,
                        .size = size,
                        .failure = failure ? *failure : (struct rank_failure){0, 0}};
    unsigned long most = 0, after = 0;

    for (int r = 0; r < size; r++)
        hall.rank[r] = (struct rank){.hall = &hall,
                                     .work = work,
                                     .context = context,
                                     .team = {&hall.rank[r], r, size, exchange, gather}};
    for (int r = 0; r < size; r++)
        assert_int_equal(pthread_create(&hall.rank[r].thread, NULL, run, &hall.rank[r]), 0);
    for (int r = 0; r < size; r++) {
        assert_int_equal(pthread_join(hall.rank[r].thread, NULL), 0);
        most = hall.rank[r].calls > most ? hall.rank[r].calls : most;
        after += hall.rank[r].late;
    }
    if (late)
        *late = after;
    return most;
}
