/* ranking.c - sorted decision values -> area under the ROC curve, average precision, and precision
 * and recall at each threshold.
 *
 * Values are sorted as whole numbers in the same order, which takes 8 bytes per row and no
 * comparisons of doubles. */
#include "learn/ranking.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/status.h"
#include "base/sum.h"
#include "learn/classes.h"
#include "solver/loop/solver.h"

/* ---- The order --------------------------------------------------------- */

static const uint64_t SIGN = UINT64_C(1) << 63;

static double decision_of(uint64_t key)
{
    return double_of(key & SIGN ? key ^ SIGN : ~key);
}

/* True if a monitor stops the work. */
static int is_stopped(const void *monitor)
{
    const struct hinge_progress progress = {0};

    return monitors_answer(monitor, &progress, &progress, 0) >= HINGE_OUT_OF_TIME;
}

size_t positive_class(const double *label, size_t classes, double positive)
{
    if (isnan(positive))
        return classes == 2 ? (size_t) !(label[0] > label[1]) : classes;
    return label_position(label, classes, positive);
}

size_t ranking_positive(const struct hinge_predictions *predictions)
{
    return positive_class(predictions->label, predictions->classes, predictions->positive);
}

/* Returns the position of the first key that equals value. The keys ascend; one or more equal it.
 */
static size_t first_of(const uint64_t *key, size_t count, uint64_t value)
{
    size_t low = 0;

    while (count > 0) {
        const size_t half = count / 2;

        if (key[low + half] < value) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* Returns the key of a row among those of its part: a whole number, in the order of the values. NaN
 * counts as the lowest value. */
static uint64_t ranked_key(const struct ranking *ranking, double decision)
{
    const uint64_t bits = bits_of(isnan(decision) ? -HUGE_VAL : decision + 0.0); /* -0 is 0 */
    const uint64_t own = bits & SIGN ? ~bits : bits | SIGN;

    return ranking->mirrored ? ~own : own;
}

enum hinge_status ranking_begin(struct ranking *ranking,
                                const struct hinge_predictions *predictions, size_t positive,
                                const struct hinge_monitor *monitor, struct hinge_error *error)
{
    const struct stop stop = {is_stopped, monitor};
    const size_t rows = predictions->rows;
    uint64_t *key = array_new(rows, sizeof *key, error);
    size_t others = rows;

    *ranking = (struct ranking){.key = key, .mirrored = positive > 0};
    if (!key)
        return failure(error);
    if (predictions->weight &&
        !(ranking->weight = array_new(rows, sizeof *ranking->weight, error))) {
        free(key);
        return failure(error);
    }
    for (size_t i = 0; i < rows; i++)
        key[predictions->given[i] == positive ? ranking->positives++ : --others] =
            ranked_key(ranking, predictions->decision[i]);
    ranking->others = rows - ranking->positives;
    ranking->stopped = !sort_keys(key, ranking->positives, &stop) ||
                       !sort_keys(key + ranking->positives, ranking->others, &stop);
    for (size_t i = 0; i < rows && ranking->weight && !ranking->stopped; i++) {
        const uint64_t own = ranked_key(ranking, predictions->decision[i]);
        const size_t place =
            predictions->given[i] == positive
                ? first_of(key, ranking->positives, own)
                : ranking->positives + first_of(key + ranking->positives, ranking->others, own);

        ranking->weight[place] += predictions->weight[i];
    }
    return HINGE_OK;
}

void ranking_end(struct ranking *ranking)
{
    free(ranking->key);
    free(ranking->weight);
}

/* ---- Areas ------------------------------------------------------------- */

/* The numbers and the weights of rows from the top of the ranking to a value. */
struct ranked {
    size_t correct; /* positive rows */
    size_t wrong;   /* other rows */
    double correct_weight;
    double wrong_weight;
};

static double weight_at(const struct ranking *ranking, size_t place)
{
    return ranking->weight ? ranking->weight[place] : 1;
}

/* Moves below all rows of the next value and returns its key. There must be rows left. */
static uint64_t descend(const struct ranking *ranking, struct ranked *at)
{
    const uint64_t *positive = ranking->key, *other = positive + ranking->positives;
    const size_t positives = ranking->positives, others = ranking->others;
    uint64_t key = at->correct < positives ? positive[positives - 1 - at->correct] : 0;

    if (at->wrong < others && other[others - 1 - at->wrong] > key)
        key = other[others - 1 - at->wrong];
    while (at->correct < positives && positive[positives - 1 - at->correct] == key)
        at->correct_weight += weight_at(ranking, positives - 1 - at->correct++);
    while (at->wrong < others && other[others - 1 - at->wrong] == key)
        at->wrong_weight += weight_at(ranking, positives + others - 1 - at->wrong++);
    return key;
}

static int is_at_end(const struct ranking *ranking, const struct ranked *at)
{
    return at->correct == ranking->positives && at->wrong == ranking->others;
}

/* The area is the share of the pairs of a positive and another row in which the positive one has
 * the larger value (Mann and Whitney, 1947). A pair counts the product of its weights, half of it
 * if the values are equal. The precision is the mean, over the positive rows, of the precision down
 * to the value of the row. */
void ranking_areas(const struct ranking *ranking, double *area, double *precision)
{
    struct ranked at = {0};
    struct sum pairs = {0, 0}, precisions = {0, 0};

    *area = *precision = NAN;
    if (ranking->stopped || ranking->positives == 0)
        return;
    while (!is_at_end(ranking, &at)) {
        const struct ranked above = at;

        descend(ranking, &at);
        sum_add(&pairs, (at.wrong_weight - above.wrong_weight) *
                            ((above.correct_weight + at.correct_weight) / 2));
        if (at.correct > above.correct)
            sum_add(&precisions, (at.correct_weight - above.correct_weight) * at.correct_weight /
                                     (at.correct_weight + at.wrong_weight));
    }
    *precision = sum_value(&precisions) / at.correct_weight;
    if (ranking->others > 0)
        *area = sum_value(&pairs) / at.correct_weight / at.wrong_weight;
}

/* ---- Each threshold ---------------------------------------------------- */

/* Returns a finite number t with below <= t < above: half-way if a double is between them. */
static double between(double below, double above)
{
    const double middle = fmax(below, -DBL_MAX) / 2 + fmin(above, DBL_MAX) / 2;

    return middle > below && middle < above ? middle : fmax(below, -DBL_MAX);
}

/* A threshold is between a value and the next lower one; the last threshold is below all values. A
 * row is of the first class if its value is above the threshold, but of the second class, whose
 * ranking is mirrored, if its value is at least the threshold. */
struct hinge_curve *hinge_curve_new(const struct hinge_predictions *predictions,
                                    const struct hinge_monitor *monitor, struct hinge_error *error)
{
    const size_t positive = ranking_positive(predictions);
    struct hinge_curve *curve;
    struct ranking ranking;
    struct ranked at = {0};
    double most = -1;
    uint64_t key;

    if (predictions->rows == 0 || predictions->known != 2 || predictions->classes < 2 ||
        positive > 1) {
        error_fill(error, HINGE_BAD_ARGUMENT, "there are no predictions of two classes to rank");
        return NULL;
    }
    if (!(curve = array_new(1, sizeof *curve, error)))
        return NULL;
    if (ranking_begin(&ranking, predictions, positive, monitor, error)) {
        hinge_curve_free(curve);
        return NULL;
    }
    curve->rows = predictions->rows;
    curve->given = ranking.positives;
    curve->stopped = ranking.stopped;
    while (!ranking.stopped && !is_at_end(&ranking, &at)) {
        descend(&ranking, &at);
        curve->points++;
    }
    curve->point = array_new(curve->points, sizeof *curve->point, error);
    at = (struct ranked){0};
    key = descend(&ranking, &at);
    for (size_t k = 0; curve->point && k < curve->points; k++) {
        const struct ranked here = at;
        const int last = is_at_end(&ranking, &at);
        const uint64_t next = last ? key : descend(&ranking, &at);
        const double value = decision_of(ranking.mirrored ? ~key : key);
        const double beyond = decision_of(ranking.mirrored ? ~next : next);
        const double f1 = 2 * (double)here.correct /
                          ((double)curve->given + (double)here.correct + (double)here.wrong);

        curve->point[k].threshold =
            ranking.mirrored ? 0 - (last ? clamp(value, -DBL_MAX, DBL_MAX) : between(value, beyond))
            : last           ? fmax(nextafter(value, -HUGE_VAL), -DBL_MAX)
                             : between(beyond, value);
        curve->point[k].predicted = here.correct + here.wrong;
        curve->point[k].correct = here.correct;
        if (f1 > most) {
            most = f1;
            curve->best = k;
        }
        key = next;
    }
    ranking_end(&ranking);
    if (!curve->point) {
        hinge_curve_free(curve);
        return NULL;
    }
    return curve;
}

void hinge_curve_free(struct hinge_curve *curve)
{
    if (!curve)
        return;
    free(curve->point);
    free(curve);
}
