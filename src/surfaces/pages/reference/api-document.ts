/** The parts of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  info: { title: string; description: string; version: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, { get: ApiOperation }>>;
  components: {
    schemas: Readonly<Record<string, ApiSchema>>;
    responses: Readonly<Record<string, ApiResponse>>;
  };
}

export interface ApiOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters?: readonly ApiParameter[];
  responses: Readonly<Record<string, ApiResponse | Ref>>;
}

export interface ApiParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: ApiSchema;
  example?: unknown;
}

interface ApiResponse {
  description: string;
  content?: Readonly<Record<string, { schema?: ApiSchema; example?: unknown }>>;
}

interface Ref {
  $ref: string;
}

export interface ApiSchema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly ApiSchema[];
  items?: ApiSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Readonly<Record<string, ApiSchema>>;
  patternProperties?: Readonly<Record<string, ApiSchema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
}

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** An operation with its path. */
export interface Endpoint {
  path: string;
  operation: ApiOperation;
}

export const endpointsOf = ({ paths }: ApiDocument, tag?: string): Endpoint[] =>
  Object.entries(paths).flatMap(([path, { get }]) =>
    tag === undefined || get.tags.includes(tag) ? [{ path, operation: get }] : [],
  );

export function responseOf({ components }: ApiDocument, response: ApiResponse | Ref): ApiResponse | undefined {
  return '$ref' in response ? components.responses[nameOfRef(response.$ref)] : response;
}

/** The body of a response: its media type, its schema and an example. */
export function bodyOf(response: ApiResponse | undefined) {
  const [found] = Object.entries(response?.content ?? {});
  return found === undefined ? undefined : { mediaType: found[0], ...found[1] };
}
