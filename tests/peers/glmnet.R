# glmnet.R - Rscript glmnet.R ROWS C MODEL: logistic regression with a free bias by glmnet, for labels +1 and -1.
#
# glmnet minimises (1/m) sum_i ln(1 + e^(-y_i z_i)) + (lambda/2) |w|^2 at alpha = 0: with lambda = 1/(C m) that is
# P(w, b)/(C m). Reads LIBSVM's format and writes LIBLINEAR's.
suppressMessages(library(glmnet))

arguments <- commandArgs(TRUE)
C <- as.numeric(arguments[2])
lines <- strsplit(trimws(readLines(arguments[1])), " +")
y <- as.numeric(vapply(lines, `[`, "", 1))
entries <- lapply(lines, `[`, -1)
pairs <- strsplit(unlist(entries), ":", fixed = TRUE)
x <- sparseMatrix(i = rep(seq_along(entries), lengths(entries)),
                  j = as.integer(vapply(pairs, `[`, "", 1)),
                  x = as.numeric(vapply(pairs, `[`, "", 2)),
                  dims = c(length(lines), max(as.integer(vapply(pairs, `[`, "", 1)))))
fit <- glmnet(x, factor(y, c(-1, 1)), family = "binomial", alpha = 0, lambda = 1 / (C * length(y)),
              standardize = FALSE, intercept = TRUE, thresh = 1e-14, maxit = 1e7)
writeLines(c("solver_type L2R_LR", "nr_class 2", "label 1 -1", paste("nr_feature", ncol(x)), "bias 1", "w",
             sprintf("%.17g ", c(as.vector(fit$beta), fit$a0))), arguments[3])
