import { randomUUID } from 'node:crypto';
import type { ProtocolVersion } from './versions.ts';

export interface Session {
  readonly id: string;
  readonly endsAt: number;
  version: ProtocolVersion;
}

/** MCP-05, MCP-06: the initialised sessions. Processes that share a store answer each other's sessions. */
export interface SessionStore {
  readonly count: number;
  /** Reserves a slot while the initialisation is in progress; undefined if none is free. */
  open(version: ProtocolVersion): Awaitable<Session | undefined>;
  /** Sets the version that was negotiated. */
  agree(session: Session, version: ProtocolVersion): Awaitable<void>;
  find(id: string): Awaitable<Session | undefined>;
  close(session: Session): Awaitable<void>;
}

type Awaitable<T> = T | Promise<T>;

/** Sessions in the memory of this process. */
export class Sessions implements SessionStore {
  readonly #max: number;
  readonly #lifetimeMs: number;
  readonly #elapsed: () => number;
  /** All have the same lifetime, so they are in order of expiry. */
  readonly #sessions = new Map<string, Session>();

  constructor({ sessions, sessionMs }: { sessions: number; sessionMs: number }, elapsed: () => number) {
    this.#max = sessions;
    this.#lifetimeMs = sessionMs;
    this.#elapsed = elapsed;
  }

  get count(): number {
    this.#removeEnded();
    return this.#sessions.size;
  }

  open(version: ProtocolVersion): Session | undefined {
    if (this.count >= this.#max) return undefined;
    const session = { id: randomUUID(), endsAt: this.#elapsed() + this.#lifetimeMs, version };
    this.#sessions.set(session.id, session);
    return session;
  }

  agree({ id }: Session, version: ProtocolVersion): void {
    const session = this.#sessions.get(id);
    if (session !== undefined) session.version = version;
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.endsAt > this.#elapsed() ? session : undefined;
  }

  close({ id }: Session): void {
    this.#sessions.delete(id);
  }

  #removeEnded(): void {
    const elapsed = this.#elapsed();
    for (const { id, endsAt } of this.#sessions.values()) {
      if (endsAt > elapsed) break;
      this.#sessions.delete(id);
    }
  }
}
