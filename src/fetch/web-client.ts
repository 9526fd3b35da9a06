import { readFileSync } from 'node:fs';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { FailureError } from '../vocabulary/failure.ts';
import { fetchFailure } from './fetch-failure.ts';
import { isPrivateLiteral, PRIVATE_ADDRESS, publicLookup } from './private-network.ts';
import { retryAfterMs } from './retry-after.ts';

export interface WebRequest {
  readonly url: URL;
  /** The form of a POST; a GET without it. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address holds an access key, which no other host may receive. */
  readonly hasKey?: boolean;
  /** How long the publisher may take to begin its answer. */
  readonly patienceMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its bytes; they break off with a failure if the connection does. */
  body(): AsyncIterable<Buffer>;
  /** Leaves the rest unread. */
  drop(): void;
}

export interface WebSettings {
  /** How to reach the operator. */
  readonly contact: string | undefined;
  /** Hosts that the operator named in settings; they may be private. */
  readonly trustedHosts: ReadonlySet<string>;
  /** How long a connection may be silent. */
  readonly stallMs?: number;
  /** The longest wait that a publisher may ask for. */
  readonly maxWaitMs?: number;
  tell(line: string): void;
}

const STALL_MS = 30_000;
const MAX_WAIT_MS = 120_000;
const MAX_WAITS = 5;
const MAX_REDIRECTS = 5;
const MAX_DROPPED = 64 << 10;
const MAX_HELD = 1 << 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Sends requests one at a time, over one connection to each host (FTC-06). */
export class WebClient {
  readonly #settings: WebSettings;
  readonly #http = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  readonly #https = new HttpsAgent({ keepAlive: true, maxSockets: 1 });
  readonly #userAgent: string;

  constructor(settings: WebSettings) {
    this.#settings = settings;
    const { contact } = settings;
    this.#userAgent = `tatemono/${version}${contact === undefined ? '' : ` (${contact})`}`;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** The answer after redirects and the waits that the publisher asks for. */
  async ask(request: WebRequest): Promise<Answer> {
    const { maxWaitMs = MAX_WAIT_MS, tell } = this.#settings;
    for (let waits = 0; ; waits++) {
      const answer = await this.#follow(request);
      if (answer.status !== 429 && answer.status !== 503) return answer;
      answer.drop();
      const wait = retryAfterMs(answer.headers['retry-after'], Date.now());
      if (wait === undefined || wait > maxWaitMs || waits === MAX_WAITS) {
        throw fetchFailure(request.url, tooBusy(answer.status, wait));
      }
      tell(`${request.url.host} asks to wait for ${Math.ceil(wait / 1000)} s`);
      await sleep(wait);
    }
  }

  /** The text of an answer of at most `maxBytes`; undefined if there is no such file. */
  async readText(request: WebRequest, maxBytes: number): Promise<string | undefined> {
    const answer = await this.ask(request);
    if (answer.status === 404 || answer.status === 410) {
      answer.drop();
      return undefined;
    }
    const fault = faultOfAnswer(answer, [200], maxBytes);
    if (fault !== undefined) {
      answer.drop();
      throw fetchFailure(request.url, fault);
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer.body()) {
      length += chunk.length;
      if (length > maxBytes) throw fetchFailure(request.url, tooLarge(maxBytes));
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** A JSON document of at most `maxBytes`. */
  async readJson(request: WebRequest, maxBytes: number): Promise<unknown> {
    const text = await this.readText(request, maxBytes);
    if (text === undefined) throw fetchFailure(request.url, 'not found (status 404)');
    try {
      return JSON.parse(text);
    } catch {
      throw fetchFailure(request.url, 'the answer is not JSON; it may be an error page');
    }
  }

  async #follow(request: WebRequest): Promise<Answer> {
    const seen = new Set<string>();
    for (let url = request.url; ; ) {
      seen.add(url.href);
      const answer = await this.#send(request, url);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
      answer.drop();
      const next = URL.parse(location, url.href);
      const fault = faultOfRedirect(request, url, next, seen);
      if (next === null || fault !== undefined) throw fetchFailure(url, `redirects ${fault}`);
      url = next;
    }
  }

  async #send(request: WebRequest, url: URL, isSecondTry = false): Promise<Answer> {
    const { stallMs = STALL_MS, trustedHosts } = this.#settings;
    const isTrusted = trustedHosts.has(url.host);
    if (!isTrusted && isPrivateLiteral(url.hostname)) throw fetchFailure(url, PRIVATE_PLACE);
    const isTls = url.protocol === 'https:';
    const body = request.form && new URLSearchParams(request.form).toString();
    const sent = (isTls ? sendHttps : sendHttp)({
      ...{ protocol: url.protocol, hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port },
      ...{ path: `${url.pathname}${url.search}`, method: body === undefined ? 'GET' : 'POST' },
      agent: isTls ? this.#https : this.#http,
      headers: {
        ...request.headers,
        'user-agent': this.#userAgent,
        // Ranges and hashes are those of the file itself.
        'accept-encoding': 'identity',
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(body)),
        }),
      },
      ...(!isTrusted && { lookup: publicLookup }),
    });
    const watch = watchSilence(sent, request.patienceMs ?? stallMs);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve);
        sent.on('error', reject);
        sent.end(body);
      });
      watch.allow(stallMs);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: receive(response, url, watch),
        drop: () => drop(response),
      };
    } catch (error) {
      // The publisher may close an idle connection at the moment it is used again.
      if (sent.reusedSocket && !isSecondTry && !watch.isSilent()) return this.#send(request, url, true);
      throw connectionFailure(error, url, watch);
    }
  }
}

/** A short rest is read, so that the connection can be used again. */
function drop(response: IncomingMessage): void {
  const length = response.statusCode === 304 ? 0 : Number(response.headers['content-length'] ?? Number.NaN);
  if (length <= MAX_DROPPED || response.complete) response.resume();
  else response.destroy();
}

interface Watch {
  allow(ms: number): void;
  isSilent(): boolean;
}

/** Ends a connection over which nothing arrives. */
function watchSilence(sent: ClientRequest, ms: number): Watch {
  let isSilent = false;
  sent.setTimeout(ms, () => {
    isSilent = true;
    sent.destroy();
  });
  return { allow: (other) => void sent.setTimeout(other), isSilent: () => isSilent };
}

/**
 * Starts to take the bytes of an answer at once: what arrived before a connection broke is kept, and so is the news that it
 * broke.
 */
function receive(response: IncomingMessage, url: URL, watch: Watch): () => AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let ended: { error: unknown } | undefined;
  let wake = () => {};
  const end = (error?: unknown) => {
    ended ??= { error };
    wake();
  };
  response.on('data', (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes > MAX_HELD) response.pause();
    wake();
  });
  response.on('end', () => end());
  response.on('error', (error) => end(error));
  response.on('close', () => end(new Error('incomplete')));
  return async function* body() {
    try {
      while (true) {
        const chunk = held.shift();
        if (chunk !== undefined) {
          heldBytes -= chunk.length;
          if (held.length === 0 && response.isPaused()) response.resume();
          yield chunk;
        } else if (ended === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (ended.error === undefined) return;
        else throw connectionFailure(ended.error, url, watch);
      }
    } finally {
      if (!response.complete) response.destroy();
    }
  };
}

function faultOfRedirect(
  { form, hasKey }: WebRequest,
  from: URL,
  to: URL | null,
  seen: ReadonlySet<string>,
): string | undefined {
  if (to === null) return 'to an invalid address';
  if (to.protocol !== from.protocol) return `to another scheme (${to.protocol.slice(0, 10)})`;
  if (seen.has(to.href)) return 'in a loop';
  if (seen.size > MAX_REDIRECTS) return `more than ${MAX_REDIRECTS} times`;
  if (to.username !== '' || to.password !== '') return 'to an address with credentials';
  if (form !== undefined) return 'a query; set the address that it leads to';
  if (hasKey === true && to.origin !== from.origin) return 'to another host, which must not receive the access key';
  return undefined;
}

/** Why an answer cannot be used, as far as its status and headers tell. */
export function faultOfAnswer(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  expected: readonly number[],
  maxBytes: number,
): string | undefined {
  if (status === 404 || status === 410) return `not found (status ${status})`;
  if (status === 401 || status === 403) return `access refused (status ${status})`;
  if (!expected.includes(status)) return `unexpected answer (status ${status}); try again later`;
  if (status === 304) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return 'the answer is compressed, although the plain file was asked for';
  if (/^\s*(?:text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')) return HTML_PAGE;
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

export const HTML_PAGE = 'the answer is an HTML page instead of the file';

export const tooLarge = (maxBytes: number): string =>
  `the answer is larger than ${Math.round(maxBytes / 1e6).toLocaleString('en')} MB, the limit for this file`;

const PRIVATE_PLACE = 'leads to a private network address, which is not fetched';

function tooBusy(status: number, wait: number | undefined): string {
  if (wait === undefined) return `too many requests or too busy (status ${status}); try again later`;
  return `asks to wait for ${Math.ceil(wait / 1000)} s (status ${status}); try again after that`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host is not known; check the address and the network',
  EAI_AGAIN: 'the name of the host cannot be resolved; check the network',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection took too long',
  [PRIVATE_ADDRESS]: PRIVATE_PLACE,
};

function connectionFailure(error: unknown, url: URL, watch: Watch): FailureError {
  if (error instanceof FailureError) return error;
  if (watch.isSilent()) return fetchFailure(url, 'nothing arrives any more; run it again to continue');
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/CERT|SSL|TLS/.test(code)) return fetchFailure(url, `the certificate or TLS of the host is not valid (${code})`);
  return fetchFailure(url, REASONS[code] ?? 'the connection broke; run it again to continue');
}
