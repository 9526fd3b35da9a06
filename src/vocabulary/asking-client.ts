import { AsyncLocalStorage } from 'node:async_hooks';

/** Who asks, by the same identity as in the rate limits. */
interface Asker {
  readonly client: string;
}

const askers = new AsyncLocalStorage<Asker>();

/** Everything that the running code starts from now on is done for this client. */
export function workFor(asker: Asker): void {
  askers.enterWith(asker);
}

/** The client that the running code works for; empty if it works for none. */
export const askingClient = (): string => askers.getStore()?.client ?? '';
