import { openStorage } from '../../storage/open-storage.ts';
import { answerJobs } from '../../threads/threads.ts';
import { searchHere } from '../registry.ts';
import type { SearchJobs } from './search-threads.ts';

answerJobs<SearchJobs, { databaseUrl: string }>(({ databaseUrl }) => ({
  // A connection that breaks while nothing uses it is replaced by the pool.
  search: searchHere(openStorage(databaseUrl, () => {})),
}));
