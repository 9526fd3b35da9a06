import { AsyncResource } from 'node:async_hooks';

/** SHR-02: requests of one client that are worked on at once; its further ones wait. */
const AT_ONCE = 64;

/** Frees a turn; calling it again is harmless. */
type FreeTurn = () => void;

interface Client {
  underWay: number;
  waiting: (() => void)[];
}

/** Keeps a client with many connections from occupying the serving thread: others never wait behind all of its requests. */
export class ClientTurns {
  readonly #atOnce: number;
  readonly #clients = new Map<string, Client>();

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Calls `begin` when it is the turn of this request, often at once. */
  take(name: string, begin: (free: FreeTurn) => void): void {
    let client = this.#clients.get(name);
    if (client === undefined) {
      client = { underWay: 0, waiting: [] };
      this.#clients.set(name, client);
    }
    const free = this.#freeOnce(name, client);
    if (client.underWay < this.#atOnce) {
      client.underWay += 1;
      begin(free);
    } else {
      // It is called by another request, but works for this one.
      client.waiting.push(AsyncResource.bind(() => begin(free)));
    }
  }

  #freeOnce(name: string, client: Client): FreeTurn {
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const next = client.waiting.shift();
      // Later, so that requests which are answered at once do not call one another without end.
      if (next !== undefined) setImmediate(next);
      else {
        client.underWay -= 1;
        if (client.underWay === 0) this.#clients.delete(name);
      }
    };
  }
}
