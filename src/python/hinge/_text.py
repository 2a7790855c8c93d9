"""Texts as features."""
import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._data import address, csr_copy
from ._library import call, library

_WEIGHTINGS = ["tf-idf", "counts", "binary"]


class _Vocabulary:
    """A struct hinge_text of these settings."""

    def __init__(self, *settings):
        self.settings = settings
        self.handle = call("hinge_text_new", *settings)

    def __del__(self, _free=library.hinge_text_free):
        _free(getattr(self, "handle", None))

    def words(self):
        """The words of the features, as bytes, and the numbers of texts that have them."""
        texts = np.empty(0 if self.settings[-1] else library.hinge_text_features(self.handle), np.uint32)
        return [library.hinge_text_word(self.handle, k, texts.ctypes.data + 4 * k) for k in range(len(texts))], texts

    def __reduce__(self):
        return _restored, (self.settings, library.hinge_text_rows(self.handle), *self.words())


def _restored(settings, rows, words, texts):
    vocabulary = _Vocabulary(*settings)
    call("hinge_text_restore", vocabulary.handle, rows, len(words), b"".join(word + b"\0" for word in words),
         address(texts))
    return vocabulary


def _joined(texts):
    """The texts in UTF-8, one after the other, and where each ends."""
    if isinstance(texts, (str, bytes)):
        raise ValueError("a list of texts is expected, not one text")
    encoded = []
    for text in texts:
        if not isinstance(text, (str, bytes)):
            raise ValueError("%r is not a text" % (text,))
        encoded.append(text.encode("utf-8", "replace") if isinstance(text, str) else text)
    return b"".join(encoded), np.cumsum([len(text) for text in encoded], dtype=np.uintp)


class TextFeatures(TransformerMixin, BaseEstimator):
    """Words of texts as features, with the numbers of hinge-convert --text.

    A word is a run of at least two letters and digits, in lower case; each Chinese or Japanese character is a word.

    Parameters
    ----------
    ngrams : int, default=1
        Sequences of up to so many words are features, too; from 1 to 9.
    min_rows : int, default=2
        Words that fewer texts have are left out.
    max_features : int, optional
        The words that occur most often are kept.
    weighting : {"tf-idf", "counts", "binary"}, default="tf-idf"
        The value of a word that a text has t times, if k of m texts have it. "tf-idf": (1 + ln t) (ln((1 + m) /
        (1 + k)) + 1), divided by the Euclidean length of the row; "counts": t; "binary": 1.
    hash_bits : int, optional
        Instead of a vocabulary, a word has the feature that its hash value names, of 2**hash_bits; from 1 to 30.

    Attributes
    ----------
    n_features_ : int
        Number of columns.

    Examples
    --------
    >>> import hinge
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = ["a good film", "good, very good", "a bad film", "very bad"]
    >>> features = hinge.TextFeatures(weighting="counts").fit(texts)
    >>> features.get_feature_names_out().tolist()
    ['good', 'film', 'very', 'bad']
    >>> features.transform(["good good film"]).toarray().tolist()
    [[2.0, 1.0, 0.0, 0.0]]
    >>> model = make_pipeline(hinge.TextFeatures(), hinge.HingeClassifier()).fit(texts, [1, 1, 0, 0])
    >>> model.predict(["so good", "so bad"]).tolist()
    [1, 0]
    """

    def __init__(self, ngrams=1, *, min_rows=2, max_features=None, weighting="tf-idf", hash_bits=None):
        self.ngrams = ngrams
        self.min_rows = min_rows
        self.max_features = max_features
        self.weighting = weighting
        self.hash_bits = hash_bits

    def fit(self, texts, y=None):
        """Count the words of the texts and choose the features.

        Parameters
        ----------
        texts : sequence of str, or of bytes in UTF-8
        y : None
            Ignored.

        Returns
        -------
        TextFeatures
            The transformer itself.
        """
        settings = [self.ngrams, self.min_rows, self.max_features or 0, 0, self.hash_bits or 0]
        for name, value in zip(("ngrams", "min_rows", "max_features", "", "hash_bits"), settings):
            if not 0 <= value < 2**32:
                raise ValueError("%s: %r is not from 0 to 2**32 - 1" % (name, value))
        if self.weighting not in _WEIGHTINGS:
            raise ValueError("weighting: %r is not %s" % (self.weighting, ", ".join(_WEIGHTINGS)))
        settings[3] = _WEIGHTINGS.index(self.weighting)
        vocabulary = _Vocabulary(*settings)
        joined, end = _joined(texts)
        call("hinge_text_count", vocabulary.handle, len(end), joined, address(end))
        call("hinge_text_choose", vocabulary.handle)
        self.vocabulary_ = vocabulary
        self.n_features_ = library.hinge_text_features(vocabulary.handle)
        return self

    def transform(self, texts):
        """Return the features of texts.

        Parameters
        ----------
        texts : sequence of str, or of bytes in UTF-8

        Returns
        -------
        scipy.sparse.csr_matrix of float64, shape (texts, n_features_)
        """
        check_is_fitted(self)
        joined, end = _joined(texts)
        data = call("hinge_text_dataset", self.vocabulary_.handle, len(end), joined, address(end))
        try:
            return csr_copy(data)
        finally:
            library.hinge_dataset_free(data)

    def get_feature_names_out(self, input_features=None):
        """Return the words of the features; their numbers, if words are hashed.

        Returns
        -------
        numpy.ndarray of object, shape (n_features_,)
        """
        check_is_fitted(self)
        if self.hash_bits:
            return np.array([str(k) for k in range(self.n_features_)], object)
        return np.array([word.decode() for word in self.vocabulary_.words()[0]], object)


TextFeatures.__module__ = "hinge"
