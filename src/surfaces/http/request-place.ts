import type { FastifyReply } from 'fastify';
import type { FairPlaces, FreePlace } from '../../vocabulary/fair-places.ts';
import { whenClosed } from './send-finished.ts';

/** How long a client keeps a place beyond its share for an answer that is being sent, while another client waits. */
const GREEDY_MS = 500;

/**
 * SHR-04: the place of a request whose body may arrive slowly. Until it has arrived, another client may take the place, and
 * the request looks for another one later.
 */
export class RequestPlace {
  readonly #places: FairPlaces;
  readonly #reply: FastifyReply;
  #free: FreePlace | undefined;
  #isArriving = true;
  #since = Number.POSITIVE_INFINITY;

  constructor(places: FairPlaces, reply: FastifyReply) {
    this.#places = places;
    this.#reply = reply;
  }

  /** Whether the request has a place, which it keeps until it is answered. */
  async take(): Promise<boolean> {
    this.#free = await this.#places.take(this.#reply.request.client, {
      mayLose: (isGreedy) => isGreedy && (this.#isArriving || this.#isSending()),
      lose: () => {
        if (this.#isArriving) this.#leave();
        else this.#reply.raw.destroy();
      },
    });
    if (this.#free === undefined) return false;
    whenClosed(this.#reply, this.#free);
    return true;
  }

  /** The request has arrived. Whether it still has a place, or has another one. */
  async begin(): Promise<boolean> {
    this.#isArriving = false;
    this.#since = performance.now();
    return this.#free !== undefined || this.take();
  }

  #leave(): void {
    this.#free?.();
    this.#free = undefined;
  }

  #isSending(): boolean {
    return this.#reply.raw.headersSent && performance.now() - this.#since >= GREEDY_MS;
  }
}
