import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpoint } from '../http/endpoint.ts';
import { negotiateLanguage } from '../http/negotiation.ts';
import { NO_STORE } from '../http/send-finished.ts';
import { isLanguage, LANGUAGES, type Language } from './catalogue/language.ts';
import { readParameters } from './request-target.ts';

/** What decides the language of a page. */
interface LanguageRequest {
  target: string;
  cookie: string | undefined;
  acceptLanguage: string | undefined;
}

interface LanguageChoice {
  lang: Language;
  /** The address names it, so that the response depends on no header. */
  isInUrl: boolean;
}

/** UI-02: `?lang=`, else the cookie of the switch in the header, else Accept-Language, else English. */
export function chooseLanguage({ target, cookie, acceptLanguage }: LanguageRequest): LanguageChoice {
  const start = target.indexOf('?');
  // Most addresses do not name a language.
  if (start !== -1 && target.includes('lang=', start)) {
    const named = new URLSearchParams(target.slice(start + 1)).getAll('lang').find(isLanguage);
    if (named !== undefined) return { lang: named, isInUrl: true };
  }
  const kept = cookie === undefined ? undefined : /(?:^|;\s*)lang=(en|ja)\s*(?:;|$)/.exec(cookie)?.[1];
  const lang = isLanguage(kept) ? kept : negotiateLanguage(acceptLanguage, LANGUAGES);
  return { lang, isInUrl: false };
}

export const languageOf = ({ raw: { url = '', headers } }: Pick<FastifyRequest, 'raw'>): LanguageChoice =>
  chooseLanguage({ target: url, cookie: headers.cookie, acceptLanguage: headers['accept-language'] });

const SWITCH = '/japan/language';
const YEAR_SECONDS = 31_536_000;

/** The address that sets the cookie and leads back to a page. */
export const switchPath = (lang: Language, page: string): string =>
  `${SWITCH}?lang=${lang}&to=${encodeURIComponent(page)}`;

/** UI-03: the switch in the header. It works without JavaScript: the response sets the cookie and redirects back. */
export function languageRoutes(app: FastifyInstance): void {
  endpoint(app, SWITCH, async (request, reply) => {
    const parameters = readParameters(request);
    const lang = parameters.get('lang');
    if (isLanguage(lang)) {
      const secure = request.protocol === 'https' ? '; Secure' : '';
      reply.header('set-cookie', `lang=${lang}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`);
    }
    const target = ownPage(parameters.get('to'));
    return reply.header('cache-control', NO_STORE).header('content-length', 0).redirect(target, 303);
  });
}

/** A page of this service, never another site. A language in its address would outrank the cookie, so it is removed. */
function ownPage(text: string | null): string {
  if (text === null || !/^\/japan(?:[/?]|$)/.test(text) || !URL.canParse(text, 'http://localhost')) return '/japan';
  const { pathname, search, origin } = new URL(text, 'http://localhost');
  if (origin !== 'http://localhost' || !/^\/japan(?:\/|$)/.test(pathname) || pathname === SWITCH) return '/japan';
  return withoutLanguage(`${pathname}${search}`);
}

/** The same address without `lang`; other parameters stay as they are. */
export function withoutLanguage(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  if (query === undefined) return path;
  const kept = query.split('&').filter((part) => !/^lang(=|$)/.test(part));
  return kept.length === 0 || kept.join('') === '' ? path : `${path}?${kept.join('&')}`;
}

export function withLanguage(target: string, lang: Language): string {
  const [address = '', fragment] = target.split('#', 2);
  const plain = withoutLanguage(address);
  return `${plain}${plain.includes('?') ? '&' : '?'}lang=${lang}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** UI-04: links and forms of a page whose address names the language keep it; files and API answers have none. */
export function keepLanguage(markup: string, lang: Language): string {
  return markup
    .replace(/ href="(\/japan(?!\/(?:assets|api\/v1|mcp|language))[^"]*)"/g, (_, url: string) => {
      return ` href="${withLanguage(url.replaceAll('&amp;', '&'), lang).replaceAll('&', '&amp;')}"`;
    })
    .replace(/<form [^<>]*>/g, (form) => {
      return form.includes(' action="/japan') ? `${form}<input type="hidden" name="lang" value="${lang}">` : form;
    });
}
