import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Latencies } from './measure.ts';
import { OPEN_SESSION, type Question, type Surface } from './questions.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface TrafficOptions {
  port: number;
  lanes: number;
  /** Each lane waits this long between an answer and the next request. */
  pauseMs?: number;
  /** The address that the clients come from. */
  from?: string;
  /** Whether 429 is an answer that the clients expect. */
  isLimited?: boolean;
}

/** A request that has no answer for so long is lost. */
const LOST_MS = 60_000;
const FAULTS_KEPT = 20;

/** Clients that ask one question after the other, each over a connection of its own. */
export class Traffic {
  readonly latencies = new Map<Surface, Latencies>();
  readonly all = new Latencies();
  /** Answers that were wrong, and requests without one. */
  readonly faults: string[] = [];
  faultCount = 0;
  refused = 0;
  readonly #options: TrafficOptions;
  readonly #lanes: Promise<void>[];
  readonly #begun = performance.now();
  #isStopped = false;

  constructor(nextQuestion: () => Question, options: TrafficOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, () => this.#lane(nextQuestion));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
  }

  describe(): string {
    const rate = this.all.count / ((performance.now() - this.#begun) / 1_000);
    const surfaces = [...this.latencies].map(([surface, latencies]) => `  ${surface}: ${latencies.describe()}`);
    const refused = this.refused === 0 ? '' : `, ${this.refused} of them 429`;
    const faults = this.faults.map((fault) => `  fault: ${fault}`);
    return [
      `${rate.toFixed(0)} answers per second${refused}; faults: ${this.faultCount}`,
      `  all: ${this.all.describe()}`,
      ...surfaces.sort(),
      ...faults,
    ].join('\n');
  }

  async #lane(nextQuestion: () => Question): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let session: string | undefined;
    while (!this.#isStopped) {
      const question = nextQuestion();
      if (question.inSession) session ??= await this.#openSession(agent);
      const answer = await this.#ask(agent, question, session);
      // The service that opened the session has stopped.
      if (question.inSession && answer?.status === 404) session = undefined;
      else if (answer !== undefined) this.#check(question, answer);
      if (this.#options.pauseMs !== undefined) await sleep(this.#options.pauseMs);
    }
    agent.destroy();
  }

  async #openSession(agent: Agent): Promise<string | undefined> {
    const opened = await this.#ask(agent, OPEN_SESSION, undefined);
    if (opened?.status === 200) return String(opened.headers['mcp-session-id']);
    if (opened !== undefined) this.#check(OPEN_SESSION, opened);
    return undefined;
  }

  /** Undefined if the request was lost. */
  async #ask(agent: Agent, question: Question, session: string | undefined): Promise<Answer | undefined> {
    const asked = performance.now();
    try {
      const answer = await this.#send(agent, question, session);
      const took = performance.now() - asked;
      this.all.add(took);
      let latencies = this.latencies.get(question.surface);
      if (latencies === undefined) {
        latencies = new Latencies();
        this.latencies.set(question.surface, latencies);
      }
      latencies.add(took);
      return answer;
    } catch (error) {
      this.#note(`${question.path}: ${(error as Error).message}`);
      return undefined;
    }
  }

  #send(agent: Agent, { path, body, headers, inSession }: Question, session: string | undefined): Promise<Answer> {
    const { port, from: localAddress } = this.#options;
    const sent = { ...headers, ...(inSession && session !== undefined && { 'mcp-session-id': session }) };
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, agent, localAddress, headers: sent, timeout: LOST_MS };
      const asked = request(options, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        buffer(response).then((bytes) => resolve({ status, headers: answered, body: bytes }), reject);
      });
      asked.once('timeout', () => asked.destroy(new Error('no answer'))).once('error', reject);
      asked.end(body);
    });
  }

  #check({ path, body: asked }: Question, { status, headers, body }: Answer): void {
    if (status === 429 && this.#options.isLimited === true && headers['retry-after'] !== undefined) {
      this.refused += 1;
      return;
    }
    const isAnswer = status === 200 && (asked === undefined || !body.includes('"isError":true'));
    if (!isAnswer) this.#note(`${status} ${path} ${asked ?? ''}: ${body.toString().slice(0, 200)}`);
  }

  #note(fault: string): void {
    this.faultCount += 1;
    if (this.faults.length < FAULTS_KEPT) this.faults.push(fault);
  }
}
