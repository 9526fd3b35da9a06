import { memoryRateStore, type RateStore } from '../surfaces/http/rate-store.ts';
import { MCP_LIMITS } from '../surfaces/mcp/limits.ts';
import { type Session, Sessions } from '../surfaces/mcp/sessions.ts';
import type { ProtocolVersion } from '../surfaces/mcp/versions.ts';

/** PRC-01, PRC-02: what all workers of a service share. It is kept in the primary process, where one worker after the other uses it. */
export class SharedState {
  readonly #rates = memoryRateStore();
  readonly #sessions: Sessions;

  constructor(elapsed: () => number = () => performance.now()) {
    this.#sessions = new Sessions(MCP_LIMITS, elapsed);
  }

  rateKey(): string {
    return Buffer.from(this.#rates.key).toString('hex');
  }

  countRequest(...request: Parameters<RateStore['add']>): number | Promise<number> {
    return this.#rates.add(...request);
  }

  openSession(version: ProtocolVersion, client: string): Session | undefined {
    return this.#sessions.open(version, client);
  }

  agreeVersion(session: Session, version: ProtocolVersion): void {
    this.#sessions.agree(session, version);
  }

  findSession(id: string): Session | undefined {
    return this.#sessions.find(id);
  }

  closeSession(session: Session): void {
    this.#sessions.close(session);
  }

  countSessions(): number {
    return this.#sessions.count;
  }
}
