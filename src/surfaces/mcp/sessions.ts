import { randomUUID } from 'node:crypto';
import type { Version } from './versions.ts';

export interface Session {
  readonly id: string;
  readonly endsAt: number;
  version: Version;
}

/** MCP-05, MCP-06: who has been initialised, in the memory of this process. */
export class Sessions {
  readonly #most: number;
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  /** All last as long, so that those that end first stand first. */
  readonly #sessions = new Map<string, Session>();

  constructor({ sessions, sessionMs }: { sessions: number; sessionMs: number }, now: () => number) {
    this.#most = sessions;
    this.#lifetimeMs = sessionMs;
    this.#now = now;
  }

  get count(): number {
    this.#forgetEnded();
    return this.#sessions.size;
  }

  /** Takes a place while the initialisation is still under way; undefined where there is none. */
  open(version: Version): Session | undefined {
    if (this.count >= this.#most) return undefined;
    const session = { id: randomUUID(), endsAt: this.#now() + this.#lifetimeMs, version };
    this.#sessions.set(session.id, session);
    return session;
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.endsAt > this.#now() ? session : undefined;
  }

  close({ id }: Session): void {
    this.#sessions.delete(id);
  }

  #forgetEnded(): void {
    const now = this.#now();
    for (const { id, endsAt } of this.#sessions.values()) {
      if (endsAt > now) break;
      this.#sessions.delete(id);
    }
  }
}
