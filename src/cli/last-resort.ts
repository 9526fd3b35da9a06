import { currentConnection } from '../surfaces/http/connections.ts';

/** More errors than this in a second are not logged: a log that fails would otherwise feed itself. */
const LOGGED_A_SECOND = 20;

/**
 * Keeps the service running after an error that nothing caught: logs it, and closes the connection that it happened
 * for, whose client would otherwise wait for ever. Returns what undoes it. Errors before the service listens are not
 * its business: they have to end the process.
 */
export function surviveErrors(log: (error: unknown) => void): () => void {
  let second = 0;
  let logged = 0;
  const survive = (error: unknown) => {
    currentConnection()?.destroy();
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, logged] = [now, 0];
    logged += 1;
    if (logged > LOGGED_A_SECOND) return;
    try {
      log(error);
    } catch {
      // Nothing is left to report it to, and throwing here would end the process.
    }
  };
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  return () => void process.off('uncaughtException', survive).off('unhandledRejection', survive);
}
