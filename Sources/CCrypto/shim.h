// OpenSSL's libcrypto, imported without wrappers.
#pragma once

#include <openssl/evp.h>
