"""Names of the encoders, and the quality that sets the scores."""

# The quality of libjpeg-turbo whose score is the target.
QUALITY = 80
BASE = "libjpeg-turbo"
DEFAULT = "thimble"
BEST = "thimble, effort best"
JPEGLI = "jpegli"
MOZJPEG = "mozjpeg"
