// Constants of XYB (libjxl, lib/jxl/cms/opsin_params.h).
#pragma once

#define THIMBLE_OPSIN_ABSORBANCE \
    {{0.30f, 0.622f, 0.078f}, \
     {0.23f, 0.692f, 0.078f}, \
     {0.24342268924547819f, 0.20476744424496821f, 0.55180986650955360f}}
#define THIMBLE_OPSIN_BIAS 0.0037930732552754493f
