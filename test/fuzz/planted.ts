import { fault, type Target } from './target.ts';

/** FUZ-06: a target with faults of every kind, to prove that they are found. The first argument after the usual ones chooses one. */
export const planted: Target = {
  name: 'planted',
  atOnce: 1,
  async open() {
    const [kind] = process.argv.slice(6);
    const held: Uint8Array[] = [];
    return {
      async run(random) {
        if (!random.chance(0.1)) return;
        switch (kind) {
          case 'fault':
            return fault('a planted fault');
          case 'slow':
            for (const end = process.threadCpuUsage().user + 1_200_000; process.threadCpuUsage().user < end; );
            return;
          case 'uncaught':
            setImmediate(() => fault('nobody catches this'));
            return;
          case 'rejection':
            void Promise.reject(new Error('nobody awaits this'));
            return;
          case 'memory':
            held.push(new Uint8Array(100_000_000).fill(1));
            return;
          case 'endless':
            for (;;);
        }
      },
      async close() {},
    };
  },
};
