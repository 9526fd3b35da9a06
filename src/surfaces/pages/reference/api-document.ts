/** The parts of an OpenAPI document that the reference page shows. */
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
  in: string;
  required: boolean;
  description: string;
  schema: ApiSchema;
  example?: unknown;
}

export interface ApiResponse {
  description: string;
  content?: Readonly<Record<string, { schema?: ApiSchema; example?: unknown }>>;
}

interface Ref {
  $ref: string;
}

export interface ApiSchema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly ApiSchema[];
  items?: ApiSchema;
  properties?: Readonly<Record<string, ApiSchema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
}

export const isRef = (value: object): value is Ref => '$ref' in value;

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
