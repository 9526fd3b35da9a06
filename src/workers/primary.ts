import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metric } from '../surfaces/http/metrics.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { type Ask, connect } from './calls.ts';
import { SharedState } from './shared-state.ts';
import { untilStopped } from './stop-signals.ts';
import { WorkerMetrics } from './worker-metrics.ts';

/** A worker that ends sooner than this after its start is not replaced at once. */
const SHORT_LIFE_MS = 5_000;
const PAUSE_MS = 1_000;
/** How often metrics are read: what a killed worker counted since is lost. */
const READ_EVERY_MS = 1_000;

interface Running {
  worker: Worker;
  ask: Ask;
}

/**
 * PRC-03, PRC-04: runs this command in several processes that share one port, and replaces those that end. Returns when
 * they have been stopped. Fails if one of the first ends before it serves.
 */
export async function superviseWorkers(
  count: number,
  { print, warn }: { print: (line: string) => void; warn: (line: string) => void },
): Promise<void> {
  const shared = new SharedState();
  const running = new Map<number, Running>();
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const serving = new Set<number>();
  let isStarted = false;

  // Workers accept connections by themselves: one that is handed to a worker which ends is neither served nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const metrics = new WorkerMetrics();
  const readAll = setInterval(() => void metrics.readAll(running), READ_EVERY_MS).unref();
  const gatherMetrics = async (): Promise<Metric[]> => {
    await metrics.readAll(running);
    return metrics
      .merged()
      .map((metric) =>
        metric.name === 'mcp_sessions' ? { ...metric, samples: [['', shared.countSessions()]] } : metric,
      );
  };

  const start = (slot: number) => {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const ask = connect(
      {
        // A worker that has just ended gets no answer.
        send: (message) => void (worker.isConnected() && worker.send(message)),
        onMessage: (listener) => void worker.on('message', listener),
      },
      {
        rateKey: () => shared.rateKey(),
        countRequest: (...request: Parameters<SharedState['countRequest']>) => shared.countRequest(...request),
        openSession: (...session: Parameters<SharedState['openSession']>) => shared.openSession(...session),
        agreeVersion: (...agreed: Parameters<SharedState['agreeVersion']>) => shared.agreeVersion(...agreed),
        findSession: (id: string) => shared.findSession(id),
        closeSession: (session: Parameters<SharedState['closeSession']>[0]) => shared.closeSession(session),
        gatherMetrics,
        reportOrigin: (origin: string) => {
          serving.add(slot);
          if (serving.size < count || isStarted) return;
          isStarted = true;
          print(`tatemono serves ${origin}/japan`);
          started.resolve();
        },
      },
    );
    running.set(slot, { worker, ask });
    worker.once('exit', (code, signal) => {
      running.delete(slot);
      metrics.end(slot);
      if (stopping.signal.aborted) {
        if (running.size === 0) stopped.resolve();
        return;
      }
      if (!isStarted) {
        started.reject(new FailureError({ kind: 'connection', reason: `worker ${slot} could not start` }));
        return;
      }
      warn(`worker ${slot} ended (${signal ?? `exit code ${code}`}); another takes its place`);
      const pause = performance.now() - startedAt < SHORT_LIFE_MS ? PAUSE_MS : 0;
      void sleep(pause, undefined, { signal: stopping.signal }).then(
        () => start(slot),
        () => {},
      );
    });
  };

  const stop = () => {
    stopping.abort();
    for (const { worker } of running.values()) worker.process.kill('SIGTERM');
    if (running.size === 0) stopped.resolve();
  };
  void untilStopped().then(stop);
  for (let slot = 1; slot <= count; slot++) start(slot);
  try {
    await Promise.race([started.promise, stopped.promise]);
  } catch (error) {
    stop();
    await stopped.promise;
    throw error;
  }
  await stopped.promise;
  clearInterval(readAll);
}
