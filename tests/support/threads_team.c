/* threads_team.c - ranks send copies through shared memory, with a barrier before these are read.
 *
 * A rank has two copies in turn. It writes one again after the next barrier, which no rank reaches
 * before it has read the copy. */
#include "threads_team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* What a rank sends in a call. */
struct packet {
    char *data; /* [room] */
    size_t room;
    size_t bytes[MOST_RANKS];
};

/* The state that the ranks share. */
struct meeting {
    struct threads_team *team;
    rank_function *run;
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t turn;
    int waiting;
    unsigned long round;
    int broken; /* a rank has left, or failed */
    struct packet packet[2][MOST_RANKS];
};

/* A rank. */
struct member {
    struct meeting *meeting;
    struct hinge_team seam;
    long calls;
    int failed;
    pthread_t thread;
};

/* Waits for all ranks. Returns 0 if one has left. */
static int meet(struct meeting *meeting)
{
    int whole;

    pthread_mutex_lock(&meeting->lock);
    if (!meeting->broken && ++meeting->waiting == meeting->team->size) {
        meeting->waiting = 0;
        meeting->round++;
        pthread_cond_broadcast(&meeting->turn);
        whole = 1;
    } else {
        const unsigned long round = meeting->round;

        while (!meeting->broken && meeting->round == round)
            pthread_cond_wait(&meeting->turn, &meeting->lock);
        whole = meeting->round != round;
    }
    pthread_mutex_unlock(&meeting->lock);
    return whole;
}

static void leave(struct meeting *meeting)
{
    pthread_mutex_lock(&meeting->lock);
    meeting->broken = 1;
    pthread_cond_broadcast(&meeting->turn);
    pthread_mutex_unlock(&meeting->lock);
}

/* Counts a call, and leaves the meeting if the call must fail. */
static void count_call(struct member *member)
{
    struct threads_team *team = member->meeting->team;

    member->calls++;
    if (member->failed) {
        pthread_mutex_lock(&member->meeting->lock);
        team->after_failure++;
        pthread_mutex_unlock(&member->meeting->lock);
    }
    if (team->fail_at > 0 && member->calls == team->fail_at && member->seam.rank == team->fail_rank)
        leave(member->meeting);
}

/* Copies what a rank sends. In a gather, send_bytes has what each rank sends. */
static void pack(struct packet *packet, const void *send, const size_t *send_bytes,
                 const struct hinge_team *seam, int is_gather)
{
    size_t total = 0;

    for (int q = 0; q < seam->size; q++) {
        packet->bytes[q] = send_bytes[q];
        total += is_gather && q != seam->rank ? 0 : send_bytes[q];
    }
    if (total > packet->room) {
        free(packet->data);
        packet->data = malloc(total);
        packet->room = total;
        if (!packet->data)
            abort();
    }
    if (total > 0)
        memcpy(packet->data, send, total);
}

/* Exchanges bytes between the ranks. */
static int move(struct member *member, const void *send, const size_t *send_bytes, char *receive,
                const size_t *receive_bytes, int is_gather)
{
    struct meeting *meeting = member->meeting;
    struct packet *packet = meeting->packet[member->calls % 2];
    const int rank = member->seam.rank;

    count_call(member);
    pack(&packet[rank], send, send_bytes, &member->seam, is_gather);
    if (!meet(meeting))
        return member->failed = 1;
    for (int q = 0; q < member->seam.size; q++) {
        const size_t *bytes = packet[q].bytes;
        const char *from = packet[q].data;

        if (bytes[is_gather ? q : rank] != receive_bytes[q])
            abort();               /* the ranks do not make the same calls */
        if (receive_bytes[q] == 0) /* there may be no array */
            continue;
        for (int to = 0; to < rank && !is_gather; to++)
            from += bytes[to];
        memcpy(receive, from, receive_bytes[q]);
        receive += receive_bytes[q];
    }
    return 0;
}

static int exchange(void *context, const void *send, const size_t *send_bytes, void *receive,
                    const size_t *receive_bytes)
{
    return move(context, send, send_bytes, receive, receive_bytes, 0);
}

static int gather(void *context, const void *send, void *receive, const size_t *bytes)
{
    return move(context, send, bytes, receive, bytes, 1);
}

static void *work(void *context)
{
    struct member *member = context;
    struct meeting *meeting = member->meeting;
    const int rank = member->seam.rank;

    meeting->team->status[rank] =
        meeting->run(meeting->context, &member->seam, &meeting->team->error[rank]);
    leave(meeting);
    return NULL;
}

void threads_team_run(struct threads_team *team, rank_function *run, void *context)
{
    struct meeting meeting = {.team = team, .run = run, .context = context};
    struct member member[MOST_RANKS];

    assert_true(team->size >= 1 && team->size <= MOST_RANKS);
    team->after_failure = 0;
    memset(member, 0, sizeof member);
    pthread_mutex_init(&meeting.lock, NULL);
    pthread_cond_init(&meeting.turn, NULL);
    for (int rank = 0; rank < team->size; rank++) {
        member[rank].meeting = &meeting;
        member[rank].seam = (struct hinge_team){&member[rank], rank, team->size, exchange, gather};
        team->error[rank] = (struct hinge_error){HINGE_OK, ""};
        assert_int_equal(pthread_create(&member[rank].thread, NULL, work, &member[rank]), 0);
    }
    for (int rank = 0; rank < team->size; rank++)
        pthread_join(member[rank].thread, NULL);
    for (int rank = 0; rank < team->size; rank++) {
        free(meeting.packet[0][rank].data);
        free(meeting.packet[1][rank].data);
    }
    team->calls = member[0].calls;
    pthread_mutex_destroy(&meeting.lock);
    pthread_cond_destroy(&meeting.turn);
}

static void *copy(const void *from, size_t bytes)
{
    void *array = malloc(bytes > 0 ? bytes : 1);

    if (array && bytes > 0)
        memcpy(array, from, bytes);
    return array;
}

struct hinge_dataset *rank_dataset_new(const struct hinge_dataset *data,
                                       const struct hinge_team *team)
{
    struct hinge_dataset *own = malloc(sizeof *own);
    const struct hinge_matrix *x = &data->x;
    size_t index_size = x->index_kind == HINGE_INDEX_NONE ? 0 : (size_t)1 << x->index_kind;
    size_t value_size = x->value_kind == HINGE_VALUE_ONE      ? 0
                        : x->value_kind == HINGE_VALUE_DOUBLE ? 8
                                                              : 4;
    size_t from, to;
    uint32_t first, end;

    if (!own)
        abort();
    hinge_team_rows(team, x->rows, x->nonzeros, data->features, &first, &end);
    from = x->start[first];
    to = x->start[end];
    *own = *data;
    own->x.start = malloc((x->rows + 1) * sizeof *x->start);
    own->label = copy(data->label, x->rows * sizeof *data->label);
    own->x.index = copy((char *)x->index + from * index_size, (to - from) * index_size);
    own->x.value = copy((char *)x->value + from * value_size, (to - from) * value_size);
    if (!own->x.start || !own->label || !own->x.index || !own->x.value)
        abort();
    for (size_t i = 0; i <= x->rows; i++)
        own->x.start[i] = i <= first ? 0 : i >= end ? to - from : x->start[i] - from;
    return own;
}

void rank_dataset_free(struct hinge_dataset *data)
{
    free(data->x.start);
    free(data->label);
    free(data->x.index);
    free(data->x.value);
    free(data);
}
