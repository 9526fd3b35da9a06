/** The overview of the reference; each operation and each schema has a page below it. */
export const REFERENCE = '/japan/api';

export const operationPath = (operationId: string): string => `${REFERENCE}/${operationId}`;

export const schemaPath = (name: string): string => `${REFERENCE}/schemas/${name}`;

/** Where the form of an operation leads without JavaScript. */
export const sendPath = (operationId: string): string => `${operationPath(operationId)}/send`;
