import type { Context } from '../../src/pipeline/context.ts';

/** The same context, which calls `look` after each transaction, to check what other readers see at that moment. */
export function watchTransactions(context: Context, look: () => Promise<unknown>): Context {
  const storage = new Proxy(context.storage, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
      return async (work: Parameters<typeof target.transaction>[0]) => {
        const result = await target.transaction(work);
        await look();
        return result;
      };
    },
  });
  return { ...context, storage };
}
