import pg from 'pg';

/** How long a server has to answer when it is asked whether it does, and how often it is asked. */
const ANSWER_MS = 1_000;
const ASK_EVERY_MS = 500;

/** DLY-02: whether a PostgreSQL server answers at all. While it does not, nobody waits for it. */
export class Silence {
  readonly #url: string;
  readonly #onSilent: () => void;
  #isSilent = false;
  #isAsking = false;
  #isStopped = false;

  constructor(url: string, onSilent: () => void) {
    this.#url = url;
    this.#onSilent = onSilent;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** An answer was late: it is found out whether the server is silent, and if so, when it answers again. */
  suspect(): void {
    if (this.#isAsking || this.#isStopped) return;
    this.#isAsking = true;
    void this.#ask();
  }

  stopAsking(): void {
    this.#isStopped = true;
  }

  async #ask(): Promise<void> {
    const answers = await this.#answers();
    if (!answers && !this.#isSilent) {
      this.#isSilent = true;
      this.#onSilent();
    }
    if (answers || this.#isStopped) {
      this.#isSilent = false;
      this.#isAsking = false;
    } else setTimeout(() => void this.#ask(), ASK_EVERY_MS).unref();
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'tatemono',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      // A server that hangs does not answer the farewell.
      client.end().catch(() => {});
    }
  }
}
