/** As much of an OpenAPI document as the page of it shows. */
export interface ApiDocument {
  info: { title: string; description: string; version: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, { get: Operation }>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    responses: Readonly<Record<string, Response>>;
  };
}

export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters?: readonly Parameter[];
  responses: Readonly<Record<string, Response | Ref>>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}

export interface Response {
  description: string;
  content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>>;
}

interface Ref {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
}

export const isRef = (value: object): value is Ref => '$ref' in value;

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
