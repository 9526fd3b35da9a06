import { openReads, type ReadAddress } from '../../../storage/open-storage.ts';
import { answerJobs, yieldToOthers } from '../../../threads/threads.ts';
import { searchInline } from '../../registry.ts';
import type { SearchAnswer } from './search.ts';
import { type SearchJobs, type SharedAnswer, SharedMemory } from './search-threads.ts';

yieldToOthers();
answerJobs<SearchJobs, { address: ReadAddress; memory: SharedArrayBuffer }>(({ address, memory }) => {
  // The pool replaces idle connections that break.
  const backend = searchInline(openReads(address));
  const { areaTile, areas, extent, features, list, listAll, mapPoints, match, offers, owner, search, suggest } =
    backend;
  const { suggestIds, tile } = backend;
  const slots = new SharedMemory(memory);
  const share = (answer: SearchAnswer, slot: number | undefined): SharedAnswer => {
    const { body, ...rest } = answer;
    return slot === undefined || !slots.fill(slot, body) ? answer : { ...rest, length: body.length };
  };
  return {
    search: async ({ query, slot }) => share(await search(query), slot),
    list: async ({ query, slot }) => share(await list(query), slot),
    tile: async ({ query, slot }) => share(await tile(query), slot),
    areaTile: async ({ query, slot }) => share(await areaTile(query), slot),
    mapPoints: async ({ query, slot }) => share(await mapPoints(query), slot),
    suggest,
    listAll: (job) => listAll(...job),
    features,
    extent: () => extent(),
    owner,
    areas,
    offers,
    match,
    suggestIds,
  };
});
