export const API_ROOT = '/japan/api/v1';
