/* shard_sum.c - sum = ((s_0 + s_1) + s_2) + ..., where s_k is the sum of shard k, from 0.
 *
 * The order of additions depends on the data alone, so the number of threads and ranks changes no
 * bit. */
#include "problem/sums.h"

#include <string.h>

#include "base/parallel.h"

struct shard_run {
    const struct shards *shards;
    struct selection rows;
    shard_function *add;
    void *context;
    double *vector;
    double *partials; /* a vector for each shard of this rank; NULL: one for each thread */
    unsigned first;   /* first shard of this rank; 0 without a team */
    uint32_t place[MOST_SHARDS + 1]; /* first place of each shard, and the end */
    double scalars[MOST_SHARDS][MOST_SCALARS];
    unsigned char is_empty[MOST_SHARDS];
};

/* Returns where a thread sums the vector of shard k. */
static double *partial_of(const struct shard_run *run, size_t k, unsigned thread)
{
    const struct shards *shards = run->shards;

    if (!run->vector || shards->count == 1)
        return run->vector;
    return run->partials ? run->partials + (k - run->first) * shards->length
                         : shards->partial + thread * shards->length;
}

/* Returns where the upper triangle begins in line i of a matrix. A vector has one line. */
static size_t line_begin(const struct shards *shards, size_t i)
{
    return i * shards->order + i;
}

static size_t line_end(const struct shards *shards, size_t i)
{
    return shards->order > 0 ? (i + 1) * shards->order : shards->length;
}

static size_t lines(const struct shards *shards)
{
    return shards->order > 0 ? shards->order : 1;
}

/* Sums own shard `number`. */
static void sum_shard(void *context, size_t number, unsigned thread)
{
    struct shard_run *run = context;
    const struct shards *shards = run->shards;
    const size_t k = run->first + number;
    const struct shard shard = {run->place[k],
                                run->place[k + 1],
                                (unsigned)k,
                                run->scalars[k],
                                partial_of(run, k, thread),
                                shards->room ? shards->room + thread * shards->row_room : NULL};

    run->is_empty[k] = shard.first == shard.end;
    if (run->is_empty[k])
        return;
    for (size_t i = 0; shard.vector != run->vector && i < lines(shards); i++)
        memset(shard.vector + line_begin(shards, i), 0,
               (line_end(shards, i) - line_begin(shards, i)) * sizeof *shard.vector);
    run->add(run->context, &shard);
}

/* Adds shard k, after all shards before it. */
static void add_shard(void *context, size_t k, unsigned thread)
{
    const struct shard_run *run = context;
    const struct shards *shards = run->shards;
    const double *partial = partial_of(run, k, thread);

    if (run->is_empty[k] || partial == run->vector)
        return;
    for (size_t i = 0; i < lines(shards); i++)
        for (size_t j = line_begin(shards, i); j < line_end(shards, i); j++)
            run->vector[j] += partial[j];
}

/* ---- A sum of ranks ------------------------------------------------------ */

/* The head that precedes the numbers of a shard in a message: a flag for "empty" and the scalars.
 */
enum { HEAD = 1 + MOST_SCALARS };

/* Returns how many numbers are summed. */
static size_t numbers(const struct shards *shards)
{
    return shards->order > 0 ? shards->order * (shards->order + 1) / 2 : shards->length;
}

/* True if each rank gets the numbers of all shards and adds up all of them. Adding all of them
 * takes one round instead of two, which saves more than so few bytes cost. */
static int is_small(const struct shards *shards)
{
    enum { MOST_BYTES = 1 << 15 };

    return shards->count * numbers(shards) * sizeof(double) <= MOST_BYTES;
}

/* Returns the first number of the slice that rank q adds up, if the sum is not small. */
static size_t slice_begin(const struct shards *shards, unsigned q)
{
    return (size_t)part_begin(numbers(shards), team_size(shards->team), q);
}

/* Copies numbers begin .. end - 1 of a sum to or from a packed array. */
static void copy_numbers(const struct shards *shards, size_t begin, size_t end, double *sum,
                         double *packed, int pack)
{
    size_t first = 0; /* number at which the line begins */

    for (size_t i = 0; i < lines(shards) && first < end; i++) {
        double *line = sum + line_begin(shards, i);
        const size_t length = line_end(shards, i) - line_begin(shards, i);
        const size_t from = begin > first ? begin - first : 0;
        const size_t to = end - first < length ? end - first : length;

        if (from < to && pack)
            memcpy(packed + (first + from - begin), line + from, (to - from) * sizeof *line);
        else if (from < to)
            memcpy(line + from, packed + (first + from - begin), (to - from) * sizeof *line);
        first += length;
    }
}

/* The buffers of a rank in a sum. If there is no memory for them, the team fails. */
struct moved {
    unsigned own;     /* number of own shards */
    int is_small;     /* see is_small(); 1 if no vector is summed */
    size_t slice;     /* numbers that this rank adds up */
    double *partials; /* [own length] */
    double *send;     /* [own (size HEAD + numbers)], at least [slice] */
    double *receive;  /* [count (HEAD + slice)] */
    double *sum;      /* [numbers] */
};

/* Takes the buffers. partials is NULL if there is no memory for them. */
static struct moved lay_out_moved(const struct shards *shards, int has_vector)
{
    const unsigned size = team_size(shards->team), rank = team_rank(shards->team);
    const size_t length = has_vector ? shards->length : 0, all = has_vector ? numbers(shards) : 0;
    struct moved moved = {.own = shards_of_rank(shards, rank),
                          .is_small = !has_vector || is_small(shards)};
    size_t sent, received;

    moved.slice = moved.is_small ? all : slice_begin(shards, rank + 1) - slice_begin(shards, rank);
    sent = moved.own * ((has_vector ? size : 1) * (size_t)HEAD + all);
    sent = sent > moved.slice ? sent : moved.slice;
    received = shards->count * (HEAD + moved.slice);
    moved.partials =
        team_room(shards->team, moved.own * length + sent + received + all, sizeof *moved.partials);
    if (!moved.partials)
        return moved;
    moved.send = moved.partials + moved.own * length;
    moved.receive = moved.send + sent;
    moved.sum = moved.receive + received;
    return moved;
}

/* Sends the heads and numbers of own shards. In a small sum, all ranks get all numbers and add them
 * up. Otherwise each rank gets its slice of the numbers, adds it up and sends the result to all. */
static void move_shards(struct shard_run *run, const struct moved *moved)
{
    const struct shards *shards = run->shards;
    struct team *team = shards->team;
    const unsigned size = team_size(team);
    const size_t first = moved->is_small ? 0 : slice_begin(shards, team_rank(team));
    size_t *send_bytes = team->bytes, *receive_bytes = send_bytes + size;
    double *next = moved->send, *sum = moved->send;

    for (unsigned q = 0; q < (moved->is_small ? 1 : size); q++) {
        const size_t begin = moved->is_small ? 0 : slice_begin(shards, q);
        const size_t end = moved->is_small ? moved->slice : slice_begin(shards, q + 1);

        for (unsigned k = 0; k < moved->own; k++, next += HEAD + (end - begin)) {
            next[0] = run->is_empty[run->first + k];
            memcpy(next + 1, run->scalars[run->first + k], sizeof run->scalars[0]);
            copy_numbers(shards, begin, end, moved->partials + k * shards->length, next + HEAD, 1);
        }
        send_bytes[q] = moved->own * (HEAD + (end - begin)) * sizeof(double);
    }
    for (unsigned q = 0; q < size; q++)
        receive_bytes[q] = shards_of_rank(shards, q) * (HEAD + moved->slice) * sizeof(double);
    if (moved->is_small)
        team_gather(team, moved->send, moved->receive, receive_bytes);
    else
        team_exchange(team, moved->send, send_bytes, moved->receive, receive_bytes);
    copy_numbers(shards, first, first + moved->slice, run->vector, sum, 1);
    for (unsigned k = 0; k < shards->count; k++) {
        const double *head = moved->receive + k * (HEAD + moved->slice);

        run->is_empty[k] = head[0] != 0;
        memcpy(run->scalars[k], head + 1, sizeof run->scalars[k]);
        for (size_t j = 0; !run->is_empty[k] && j < moved->slice; j++)
            sum[j] += head[HEAD + j];
    }
    if (!moved->is_small) {
        for (unsigned q = 0; q < size; q++)
            send_bytes[q] = (slice_begin(shards, q + 1) - slice_begin(shards, q)) * sizeof(double);
        team_gather(team, sum, moved->sum, send_bytes);
        sum = moved->sum;
    }
    copy_numbers(shards, 0, run->vector ? numbers(shards) : 0, run->vector, sum, 0);
}

/* Sums one shard whose rows several ranks may have: each rank continues where the previous one
 * ended. Scalars are allowed only if one rank has all rows. */
static void run_in_turn(struct shard_run *run, double *scalars)
{
    const struct shards *shards = run->shards;
    struct team *team = shards->team;
    const unsigned size = team_size(team);

    for (unsigned q = 0; q < size; q++) {
        if (part_begin(team->parts, size, q) == part_begin(team->parts, size, q + 1))
            continue; /* the rank has no rows */
        if (q == team_rank(team)) {
            const struct shard shard = {selection_place(shards->row, run->rows, team->first),
                                        selection_place(shards->row, run->rows, team->end),
                                        0,
                                        run->scalars[0],
                                        run->vector,
                                        shards->room};

            if (shard.first < shard.end)
                run->add(run->context, &shard);
        }
        if (scalars)
            team_send_from(team, q, run->scalars[0], sizeof run->scalars[0]);
        if (run->vector)
            team_send_from(team, q, run->vector, shards->length * sizeof *run->vector);
    }
}

/* Places that are handled in blocks. */
struct places {
    uint32_t first;
    uint32_t end;
    uint32_t block;
    places_function *act;
    void *context;
};

static void act_on_block(void *context, size_t block, unsigned thread)
{
    const struct places *places = context;
    const uint32_t first = places->first + (uint32_t)block * places->block;
    const uint32_t rest = places->end - first;

    (void)thread;
    places->act(places->context, first, first + (rest < places->block ? rest : places->block));
}

void places_run(const struct shards *shards, uint32_t first, uint32_t end, places_function *act,
                void *context)
{
    enum { BLOCKS = 16 }; /* per thread, because rows have different lengths */
    const unsigned threads = shards_threads(shards, end - first);
    const uint32_t blocks = threads > 1 ? BLOCKS * threads : 1;
    struct places places = {first, end, (end - first) / blocks + 1, act, context};

    parallel_run(threads, (end - first) / places.block + 1, act_on_block, NULL, &places);
}

void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector)
{
    struct team *team = shards->team;
    struct moved moved = {.own = shards->count};
    struct shard_run run;

    run.shards = shards;
    run.rows = rows;
    run.add = add;
    run.context = context;
    run.vector = vector;
    memset(run.scalars, 0, shards->count * sizeof run.scalars[0]);
    memset(run.is_empty, 0, shards->count);
    if (team)
        moved = lay_out_moved(shards, vector != NULL);
    run.partials = moved.partials;
    run.first = team ? shards_first_of_rank(shards, team_rank(team)) : 0;
    if (team && !moved.partials) { /* out of memory: the team has failed */
        memset(run.is_empty, 1, sizeof run.is_empty);
    } else if (team && shards->count == 1) {
        run_in_turn(&run, scalars);
    } else {
        for (unsigned k = run.first; k <= run.first + moved.own; k++)
            run.place[k] = shards_place(shards, rows, k);
        parallel_run(shards_threads(shards, rows.count), moved.own, sum_shard,
                     vector && !team ? add_shard : NULL, &run);
        if (team)
            move_shards(&run, &moved);
    }
    for (size_t j = 0; scalars && j < MOST_SCALARS; j++) {
        scalars[j] = 0;
        for (unsigned k = 0; k < shards->count; k++)
            scalars[j] += run.is_empty[k] ? 0 : run.scalars[k][j];
    }
}
