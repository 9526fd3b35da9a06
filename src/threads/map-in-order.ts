/** Runs up to `ahead` jobs in advance and yields the answers in the order of the jobs. */
export async function* mapInOrder<J, A>(
  jobs: AsyncIterable<J> | Iterable<J>,
  ahead: number,
  ask: (job: J) => Promise<A>,
): AsyncGenerator<[job: J, answer: A]> {
  const waiting: { job: J; answer: Promise<A> }[] = [];
  for await (const job of jobs) {
    const answer = ask(job);
    // The consumer receives the error in turn; until then it must not count as unhandled.
    answer.catch(() => {});
    waiting.push({ job, answer });
    if (waiting.length < ahead) continue;
    const next = waiting.shift() as (typeof waiting)[number];
    yield [next.job, await next.answer];
  }
  for (const { job, answer } of waiting) yield [job, await answer];
}
