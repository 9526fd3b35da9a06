import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TProperties, TSchema } from 'typebox';
import type { Finished, Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { endpoint } from '../http/endpoint.ts';
import { sendProblem } from '../http/refuse.ts';
import { API_ROOT } from '../http/surface.ts';
import { type Parameters, parameterReader } from './parameters.ts';

export type Tag = 'Buildings' | 'REIT histories' | 'Areas' | 'Owners' | 'This API';

/** What the handlers work with. */
export interface ApiContext {
  registry: Registry;
  reit: Reit;
  /** The OpenAPI document as it is sent. */
  document: Finished;
  /** The origin for absolute links. */
  originOf: (request: FastifyRequest) => string;
  stallMs: number;
}

type None = Record<never, never>;

/**
 * One endpoint: its description, its parameters and its handler. The OpenAPI document is made from the descriptions,
 * and requests are validated with the same schemas (API-09). Every endpoint answers GET and HEAD.
 */
export interface ApiEndpoint<P extends TProperties = TProperties, Q extends TProperties = TProperties> {
  /** Below the root of the API, as OpenAPI writes it. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  pathParameters?: P;
  queryParameters?: Q;
  answer: {
    description: string;
    schema: TSchema;
    example: unknown;
    /** The default is JSON. */
    mediaType?: string;
    /** It must not be stored, and therefore has no ETag. */
    isNoStore?: true;
  };
  /** A merged or retired ID is redirected. */
  redirects?: true;
  /** When a request is refused with 400; the example detail follows from the parameters. */
  badRequest?: string;
  notFound?: ErrorDescription;
  /** When a client is asked to try again later. */
  busy?: ErrorDescription;
  handle(
    context: ApiContext,
    parameters: Parameters<P, Q>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>;
}

/** When an error occurs, and its `detail`. */
export interface ErrorDescription {
  description: string;
  detail: string;
}

/** Infers the types of the handler's parameters from their schemas. */
export function defineEndpoint<P extends TProperties = None, Q extends TProperties = None>(
  definition: ApiEndpoint<P, Q>,
): ApiEndpoint<P, Q> {
  return definition;
}

export function registerEndpoint(app: FastifyInstance, context: ApiContext, definition: ApiEndpoint): void {
  const readParameters = parameterReader(definition);
  const url = `${API_ROOT}${definition.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  endpoint(app, url, (request, reply) => {
    const parameters = readParameters(request);
    if (parameters.ok) return definition.handle(context, parameters.value, request, reply);
    sendProblem(reply, parameters.failure.status, parameters.failure.detail);
  });
}
