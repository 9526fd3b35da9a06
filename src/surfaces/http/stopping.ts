import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isAnswering, newestResponse } from './pipelining.ts';

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping;
  }
}

/** How a service stops. */
export interface StopTiming {
  /** STP-02: it goes on accepting connections until it was asked nothing for this long. */
  quietMs: number;
  /** STP-03: a balancer that asked /readyz within this time is told that the service stops, so many times. */
  watchedMs: number;
  tellings: number;
  /** It accepts connections for no longer than this. */
  acceptMs: number;
  /** How long a client may take to send a request on a new connection, and to close one that the service has ended. */
  lingerMs: number;
  /** How long requests under way may take. */
  finishMs: number;
}

const TIMING: StopTiming = {
  quietMs: 500,
  watchedMs: 15_000,
  tellings: 3,
  acceptMs: 10_000,
  lingerMs: 1_000,
  finishMs: 45_000,
};

const LOOK_MS = 20;

/**
 * STP-01: stops a service without losing a request. Node would close idle connections at once, and with them the requests that
 * are just arriving on them. Here every connection gets its next answer, which asks the client to close it; connections
 * that stay idle are ended last.
 */
export class Stopping {
  readonly #app: FastifyInstance;
  readonly #timing: StopTiming;
  /** The open connections, and since when. */
  readonly #sockets = new Map<Socket, number>();
  /** What the newest response of a connection would have been without the stop. */
  readonly #keptAlive = new WeakMap<ServerResponse, boolean>();
  #hasBegun = false;
  #lastAsked = Number.NEGATIVE_INFINITY;
  #lastWatched = Number.NEGATIVE_INFINITY;
  #told = 0;

  constructor(app: FastifyInstance, timing: Partial<StopTiming> = {}) {
    this.#app = app;
    this.#timing = { ...TIMING, ...timing };
    app.server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, performance.now());
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  noteRequest(): void {
    this.#lastAsked = performance.now();
  }

  /** Somebody asks whether the service is ready. */
  noteWatch(): void {
    this.#lastWatched = performance.now();
    if (this.#hasBegun) this.#told += 1;
  }

  /** Asks the client to close the connection after this response, unless it has sent a further request already. */
  readonly closeAfter = (response: ServerResponse, before: ServerResponse | undefined): void => {
    if (!this.#hasBegun) return;
    const isKept = before && this.#keptAlive.get(before);
    if (isKept !== undefined && before?.headersSent === false) before.shouldKeepAlive = isKept;
    this.#keptAlive.set(response, response.shouldKeepAlive);
    response.shouldKeepAlive = false;
  };

  async stop(): Promise<void> {
    const { quietMs, watchedMs, tellings, acceptMs, finishMs } = this.#timing;
    const begun = performance.now();
    const isWatched = begun - this.#lastWatched < watchedMs;
    this.#hasBegun = true;
    for (const socket of this.#sockets.keys()) {
      const response = newestResponse(socket);
      if (response !== undefined && !response.headersSent) this.closeAfter(response, undefined);
    }
    const isQuiet = () => performance.now() - this.#lastAsked >= quietMs;
    const isToldOf = () => !isWatched || this.#told >= tellings;
    while (performance.now() - begun < acceptMs && !(isQuiet() && isToldOf())) await sleep(LOOK_MS);

    await this.#endIdle();
    const closed = this.#app.close();
    let isClosed = false;
    const end = () => {
      isClosed = true;
    };
    closed.then(end, end);
    for (const until = performance.now() + finishMs; !isClosed && performance.now() < until; ) {
      await this.#endIdle();
      await sleep(LOOK_MS);
    }
    for (const socket of this.#sockets.keys()) socket.destroy();
    await closed;
  }

  /** Ends the connections that are not being answered, and waits until their clients have closed them too. */
  async #endIdle(): Promise<void> {
    const { lingerMs } = this.#timing;
    const now = performance.now();
    const isNew = (socket: Socket, openedAt: number) =>
      newestResponse(socket) === undefined && now - openedAt < lingerMs;
    const idle = [...this.#sockets]
      .filter(([socket, openedAt]) => !isAnswering(socket) && !isNew(socket, openedAt))
      .map(([socket]) => socket);
    for (const socket of idle) socket.end();
    while (performance.now() - now < lingerMs) {
      if (idle.every(({ destroyed }) => destroyed)) return;
      await sleep(LOOK_MS);
    }
    for (const socket of idle) if (!isAnswering(socket)) socket.destroy();
  }
}
