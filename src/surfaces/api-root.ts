/** VER-01: the version of the API is the path segment v1. */
export const API_VERSION = 'v1';
export const API_ROOT = `/japan/api/${API_VERSION}`;
