import type { FastifyInstance } from 'fastify';
import type { Registry } from '../../registry/registry.ts';
import { fileRoutes } from './files.ts';
import { suggestRoutes } from './suggest.ts';

export interface PageOptions {
  registry: Registry;
  baseUrl: string | undefined;
}

/** Contract 4.4. */
export function pageRoutes(app: FastifyInstance, { registry }: PageOptions): void {
  fileRoutes(app);
  suggestRoutes(app, registry);
}
