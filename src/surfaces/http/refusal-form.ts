import type { FastifyInstance } from 'fastify';
import type { Surface } from './surface.ts';

/** What a refused client asked for, as far as it could be read. */
export interface Asked {
  target: string;
  accept: string | undefined;
}

/** The headers and the body in which a surface refuses a request (API-04). */
export type RefusalForm = (
  status: number,
  detail: string,
  asked: Asked,
) => { headers: Readonly<Record<string, string>>; body: string };

type RefusalForms = Readonly<Record<Exclude<Surface, 'other'>, RefusalForm>>;

declare module 'fastify' {
  interface FastifyInstance {
    refusalForms: RefusalForms;
  }
}

/** Each surface gives its own form, so that shared code does not depend on a surface. */
export function useRefusalForms(app: FastifyInstance, forms: RefusalForms): void {
  app.decorate('refusalForms', forms);
}

/** Outside every surface refusals are JSON, except that a person or an agent who reads pages gets a page for a 404. */
export function formOf(forms: RefusalForms, surface: Surface, status: number, asked: Asked): RefusalForm {
  if (surface !== 'other') return forms[surface];
  return status === 404 && readsPages(asked) ? forms.page : forms.api;
}

function readsPages({ target, accept = '' }: Asked): boolean {
  return /\btext\/(html|markdown)\b/i.test(accept) || /\.md(\?|$)/.test(target);
}
