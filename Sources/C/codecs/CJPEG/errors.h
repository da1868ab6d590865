#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "jpeg_planes.h"

/// libjpeg's error manager, with the place to return to.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    thimble_jpeg_status status;
    thimble_jpeg_strictness strictness;
    /// Warnings so far that lose no pixel (`thimble_jpeg_note`).
    unsigned notes;
    char message[thimble_jpeg_message_bytes];
} thimble_jpeg_errors;

void thimble_jpeg_prepare_errors(thimble_jpeg_errors *errors, thimble_jpeg_strictness strictness);

/// Returns to the latest `setjmp` with a status.
_Noreturn void thimble_jpeg_fail(thimble_jpeg_errors *errors, thimble_jpeg_status status);
