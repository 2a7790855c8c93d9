# Rscript path.R DATA OUT: runs glmnet's path of L1-regularised logistic regressions, without an intercept, and
# cv.glmnet with 5 folds along it, both with their defaults except `standardize`. DATA is in LIBSVM's format.
# Prints "N FIRST LAST PATH CV": the number of C = 1/(rows lambda), log2 of the first and of the last C, and the user
# and system times of both. Writes the models at three C to OUT.1 .. OUT.3, in LIBLINEAR's format, and prints
# "model K C" for each.
suppressMessages(library(glmnet))

arguments <- commandArgs(TRUE)
lines <- strsplit(trimws(readLines(arguments[1])), " +")
entries <- lapply(lines, `[`, -1)
pairs <- strsplit(unlist(entries), ":", fixed = TRUE)
feature <- as.integer(vapply(pairs, `[`, "", 1))
x <- sparseMatrix(i = rep(seq_along(entries), lengths(entries)), j = feature,
                  x = as.numeric(vapply(pairs, `[`, "", 2)), dims = c(length(lines), max(feature)))
label <- as.numeric(vapply(lines, `[`, "", 1))
y <- factor(label)
set.seed(1)

seconds <- function(call) {
    time <- system.time(result <- eval.parent(call))
    list(result, time[1] + time[2])
}
path <- seconds(quote(glmnet(x, y, family = "binomial", standardize = FALSE, intercept = FALSE)))
fit <- path[[1]]
cv <- seconds(quote(cv.glmnet(x, y, family = "binomial", standardize = FALSE, intercept = FALSE, nfolds = 5,
                              type.measure = "class", lambda = fit$lambda)))
C <- 1 / (fit$lambda * nrow(x))
n <- length(C)
cat(sprintf("%d %.10f %.10f %.2f %.2f\n", n, log2(C[1]), log2(C[n]), path[[2]], cv[[2]]))
for (k in 1:3) {
    at <- ceiling(n * k / 3)
    w <- as.numeric(fit$beta[, at])
    writeLines(c("solver_type L1R_LR", "nr_class 2",
                 sprintf("label %g %g", max(label), min(label)),
                 sprintf("nr_feature %d", ncol(x)), "bias -1", "w", sprintf("%.17g", w)),
               sprintf("%s.%d", arguments[2], k))
    cat(sprintf("model %d %.17g\n", k, C[at]))
}
