import cluster from 'node:cluster';
import type { Metric } from '../surfaces/http/metrics.ts';
import type { RateStore } from '../surfaces/http/rate-store.ts';
import type { Session, SessionStore } from '../surfaces/mcp/sessions.ts';
import { type Ask, connect } from './calls.ts';

/** What a worker uses in place of its own counts and sessions. */
interface SharedService {
  rateStore: RateStore;
  sessions: SessionStore;
  /** The metrics of all workers. */
  gatherMetrics: () => Promise<Metric[]>;
  /** Tells the primary process where the service is reached. */
  reportOrigin: (origin: string) => Promise<unknown>;
  /** Lets this process end. */
  leave: () => void;
}

/** Connects a worker to its primary process, which also asks it for its metrics. */
export async function joinWorkers(ownMetrics: () => Metric[]): Promise<SharedService> {
  const ask: Ask = connect(
    {
      send: (message) => void process.send?.(message),
      onMessage: (listener) => void cluster.worker?.on('message', listener),
    },
    { readMetrics: ownMetrics },
  );
  const key = Buffer.from(String(await ask('rateKey')), 'hex');
  return {
    rateStore: { key, add: async (...request) => Number(await ask('countRequest', ...request)) },
    sessions: {
      open: async (...session) => (await ask('openSession', ...session)) as Session | undefined,
      agree: async (session, version) => void (await ask('agreeVersion', session, version)),
      find: async (id) => (await ask('findSession', id)) as Session | undefined,
      close: async (session) => void (await ask('closeSession', session)),
      // Counted once, by the primary process.
      count: 0,
    },
    gatherMetrics: async () => (await ask('gatherMetrics')) as Metric[],
    reportOrigin: (origin) => ask('reportOrigin', origin),
    leave: () => void cluster.worker?.disconnect(),
  };
}
