/* The version of warpsim: the only place that states it. */
#ifndef WARPSIM_BASE_VERSION_H
#define WARPSIM_BASE_VERSION_H

#define WS_VERSION_MAJOR 0
#define WS_VERSION_MINOR 1
#define WS_VERSION_PATCH 0

#define WS_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define WS_VERSION_TEXT(major, minor, patch) WS_VERSION_TEXT_OF(major, minor, patch)
#define WS_VERSION_STRING WS_VERSION_TEXT(WS_VERSION_MAJOR, WS_VERSION_MINOR, WS_VERSION_PATCH)

/* "major.minor.patch" of the headers that were compiled. */
static inline const char *ws_version(void) { return WS_VERSION_STRING; }

#endif
