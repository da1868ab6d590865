"""The benchmark's task in OpenCV: INPUT OUTPUT SIDE QUALITY."""

import os
import sys

# Keep OpenCV's limit of 2^30 pixels. Only the benchmark's bomb comes near it.
import cv2

source, target, side, quality = sys.argv[1:]
side = int(side)
cv2.setNumThreads(1)
keeps_alpha = target.endswith(".png")
# Only JPEG is decoded at a smaller scale; OpenCV scales other formats after decoding them in full.
reduced = not keeps_alpha and os.path.splitext(source)[1] in (".jpg", ".jpeg")
flags = cv2.IMREAD_REDUCED_COLOR_2 if reduced else cv2.IMREAD_COLOR
image = cv2.imread(source, cv2.IMREAD_UNCHANGED if keeps_alpha else flags)
if image is None:
    sys.exit("OpenCV cannot read it")
height, width = image.shape[:2]
scale = min(1, side / max(width, height))
size = max(1, round(width * scale)), max(1, round(height * scale))
image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
options = [] if keeps_alpha else [cv2.IMWRITE_JPEG_QUALITY, int(quality)]
sys.exit(not cv2.imwrite(target, image, options))
