import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A file of a publisher, answered as RFC 9110 says. */
export interface PublishedFile {
  body: string | Buffer;
  etag?: string;
  lastModified?: string;
  headers?: Readonly<Record<string, string>>;
  status?: number;
}

export type Answering = (request: AskedRequest, response: ServerResponse) => void;

export interface AskedRequest {
  method: string;
  /** The path with its query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A local server in the place of all publishers. Keys of `files` are paths, with a query if it matters. */
export class Publisher {
  readonly files = new Map<string, PublishedFile | Answering>();
  readonly asked: AskedRequest[] = [];
  /** How many connections were open at once at most. */
  mostConnections = 0;
  /** Ends the connection after this many bytes of a body. */
  cutAfter: number | undefined;
  readonly #server: Server;
  #open = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Publisher> {
    const server = createServer();
    const publisher = new Publisher(server);
    server.on('request', (request, response) => void publisher.#answer(request, response));
    server.on('connection', (socket) => {
      publisher.#open += 1;
      publisher.mostConnections = Math.max(publisher.mostConnections, publisher.#open);
      socket.once('close', () => {
        publisher.#open -= 1;
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return publisher;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The settings by which every source is fetched from here. */
  get env(): Record<string, string> {
    return {
      ...{ FETCH_OSM_URL: `${this.url}/osm`, FETCH_OVERPASS_URL: `${this.url}/overpass/` },
      ...{
        FETCH_PLATEAU_URL: `${this.url}/ckan`,
        FETCH_ABR_URL: `${this.url}/abr`,
        FETCH_ESTAT_URL: `${this.url}/estat`,
      },
      ...{ FETCH_WIKIDATA_QUERY_URL: `${this.url}/query`, FETCH_WIKIDATA_URL: `${this.url}/wikidata` },
      ...{ FETCH_EDINET_URL: `${this.url}/edinet`, FETCH_CONTACT: 'operator@registry.example' },
    };
  }

  /** The paths that were asked for, without queries. */
  paths(): string[] {
    return this.asked.map(({ url }) => url.replace(/\?.*/, ''));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    this.asked.push(request);
    const file = this.files.get(url) ?? this.files.get(url.replace(/\?.*/, ''));
    if (typeof file === 'function') file(request, response);
    else if (file === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
    else this.#send(file, request, response);
  }

  #send(
    { body, etag, lastModified, headers, status = 200 }: PublishedFile,
    asked: AskedRequest,
    response: ServerResponse,
  ) {
    const bytes = Buffer.from(body as Buffer);
    const validators = {
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { 'last-modified': lastModified }),
    };
    const { 'if-none-match': none, 'if-modified-since': since, 'if-range': ifRange, range } = asked.headers;
    if (
      (none !== undefined && none === etag) ||
      (none === undefined && since !== undefined && since === lastModified)
    ) {
      response.writeHead(304, validators).end();
      return;
    }
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? Number.NaN);
    const isCurrent = ifRange !== undefined && (ifRange === etag || ifRange === lastModified);
    if (Number.isNaN(start) || !isCurrent) {
      response.writeHead(status, { ...validators, 'content-length': bytes.length, ...headers });
      this.#write(bytes, response);
    } else if (start >= bytes.length) {
      response.writeHead(416, { ...validators, 'content-range': `bytes */${bytes.length}` }).end();
    } else {
      const rest = bytes.subarray(start);
      const contentRange = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(206, {
        ...validators,
        'content-length': rest.length,
        'content-range': contentRange,
        ...headers,
      });
      this.#write(rest, response);
    }
  }

  #write(bytes: Buffer, response: ServerResponse): void {
    if (this.cutAfter === undefined || this.cutAfter >= bytes.length) {
      response.end(bytes);
      return;
    }
    response.flushHeaders();
    if (this.cutAfter > 0) response.write(bytes.subarray(0, this.cutAfter));
    response.socket?.end();
  }
}
