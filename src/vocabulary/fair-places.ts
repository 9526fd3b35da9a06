/** Limits of something that requests share, such as threads or connections. */
export interface PlaceLimits {
  atOnce: number;
  /** Requests that may wait for a place; further ones are refused. */
  waiting: number;
  /** How long a request waits before it is refused. */
  waitMs: number;
  /** Whether a client that has its share of the places may wait for more; true unless told. */
  greedyWait?: boolean;
}

/** Who has a place. */
interface PlaceHolder {
  /**
   * Whether the place may go to another client now. `isGreedy`: its client has more than its share, and the other one has
   * less.
   */
  mayLose(isGreedy: boolean): boolean;
  /** Ends the use of the place, and frees it. */
  lose(): void;
}

/** Frees a place; calling it again is harmless. */
export type FreePlace = () => void;

interface Held {
  holder: PlaceHolder;
  isLosing: boolean;
}

interface Waiter {
  give: () => void;
  refuse: () => void;
}

interface Client {
  held: Set<Held>;
  waiting: Set<Waiter>;
  /** The turn in which it last got a place. */
  served: number;
}

const KEPT: PlaceHolder = { mayLose: () => false, lose() {} };

/** The part of the places that no other client can take away. */
const SHARE = 1 / 4;
/** How often places are looked for that their clients may lose. */
const RECLAIM_MS = 50;

/**
 * SHR-01: shares places among clients. A place goes to the waiting client that has the fewest, and among equals to the one
 * that was served the longest ago. A client may use all places while no other wants them, and then loses those beyond its
 * share, if their holders say so.
 */
export class FairPlaces {
  readonly #limits: PlaceLimits;
  readonly #share: number;
  readonly #clients = new Map<string, Client>();
  #taken = 0;
  #waiting = 0;
  #turn = 0;
  #reclaiming: NodeJS.Timeout | undefined;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
    this.#share = Math.ceil(limits.atOnce * SHARE);
  }

  get taken(): number {
    return this.#taken;
  }

  /** Undefined if no place became free in time. */
  take(name: string, holder: PlaceHolder = KEPT): FreePlace | undefined | Promise<FreePlace | undefined> {
    const client = this.#clientOf(name);
    if (this.#taken < this.#limits.atOnce && this.#waiting === 0) return this.#give(name, client, holder);
    if (!this.#mayWait(client)) {
      this.#forget(name, client);
      return undefined;
    }
    return new Promise((resolve) => {
      const leave = () => {
        clearTimeout(late);
        client.waiting.delete(waiter);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        give: () => {
          leave();
          resolve(this.#give(name, client, holder));
        },
        refuse: () => {
          leave();
          this.#forget(name, client);
          resolve(undefined);
        },
      };
      const late = setTimeout(waiter.refuse, this.#limits.waitMs);
      client.waiting.add(waiter);
      this.#waiting += 1;
      this.#reclaim();
    });
  }

  #clientOf(name: string): Client {
    let client = this.#clients.get(name);
    if (client === undefined) {
      client = { held: new Set(), waiting: new Set(), served: 0 };
      this.#clients.set(name, client);
    }
    return client;
  }

  #forget(name: string, { held, waiting }: Client): void {
    if (held.size === 0 && waiting.size === 0) this.#clients.delete(name);
  }

  #give(name: string, client: Client, holder: PlaceHolder): FreePlace {
    const held: Held = { holder, isLosing: false };
    client.held.add(held);
    client.served = ++this.#turn;
    this.#taken += 1;
    return () => {
      if (!client.held.delete(held)) return;
      this.#taken -= 1;
      this.#forget(name, client);
      this.#serveNext();
    };
  }

  /** If too many wait, the client with the most of them gives up one for a client with fewer. */
  #mayWait(client: Client): boolean {
    const { waiting, greedyWait = true } = this.#limits;
    if (!greedyWait && client.held.size >= this.#share) return false;
    if (this.#waiting < waiting) return true;
    const [crowd] = [...this.#clients.values()].sort((a, b) => b.waiting.size - a.waiting.size);
    if (crowd === undefined || crowd.waiting.size <= client.waiting.size + 1) return false;
    [...crowd.waiting].at(-1)?.refuse();
    return true;
  }

  #serveNext(): void {
    while (this.#waiting > 0 && this.#taken < this.#limits.atOnce) {
      let next: Client | undefined;
      for (const client of this.#clients.values()) {
        if (client.waiting.size > 0 && (next === undefined || isBefore(client, next))) next = client;
      }
      const [waiter] = next?.waiting ?? [];
      waiter?.give();
    }
  }

  /** Takes places from clients that may lose them, as long as somebody waits. */
  #reclaim(): void {
    clearTimeout(this.#reclaiming);
    const waiting = [...this.#clients.values()].filter((client) => client.waiting.size > 0);
    if (waiting.length === 0) return;
    this.#reclaiming = setTimeout(() => this.#reclaim(), RECLAIM_MS).unref();
    const fewest = Math.min(...waiting.map(({ held }) => held.size));
    const clients = [...this.#clients.values()].sort((a, b) => b.held.size - a.held.size);
    for (const { held } of clients) {
      const isGreedy = held.size > this.#share && fewest < this.#share;
      for (const one of held) {
        if (one.isLosing || !one.holder.mayLose(isGreedy)) continue;
        one.isLosing = true;
        one.holder.lose();
        return;
      }
    }
  }
}

function isBefore(a: Client, b: Client): boolean {
  return a.held.size === b.held.size ? a.served < b.served : a.held.size < b.held.size;
}
