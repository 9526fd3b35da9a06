import { openStorage } from '../../storage/open-storage.ts';
import { answerJobs } from '../../threads/threads.ts';
import { yieldToOthers } from '../../threads/yield-to-others.ts';
import { searchHere } from '../registry.ts';
import type { SearchJobs } from './search-threads.ts';
import { SharedSlots } from './shared-slots.ts';

yieldToOthers();
answerJobs<SearchJobs, { databaseUrl: string; memory: SharedArrayBuffer }>(({ databaseUrl, memory }) => {
  // A connection that breaks while nothing uses it is replaced by the pool.
  const search = searchHere(openStorage(databaseUrl, () => {}));
  const slots = new SharedSlots(memory);
  return {
    async search({ query, slot }) {
      const answer = await search(query);
      if (slot === undefined || !slots.fill(slot, answer.body)) return answer;
      return { etag: answer.etag, length: answer.body.length };
    },
  };
});
