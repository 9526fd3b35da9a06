/** node bench/search-load.ts <origin> <seconds> <connections>: sends searches as fast as they are answered; prints a SearchLoad. */
import autocannon from 'autocannon';
import { shuffle } from './city-plan.ts';
import { chance } from './generate-records.ts';
import { QUERIES } from './search-queries.ts';

export interface SearchLoad {
  requestsPerSecond: number;
}

const [url = '', seconds, connections] = process.argv.slice(2);
const paths = shuffle(
  QUERIES.map(({ path }) => path),
  chance(32),
);
let next = 0;
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  requests: [{ setupRequest: (request) => ({ ...request, path: paths[next++ % paths.length] as string }) }],
});
if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`);
const load: SearchLoad = { requestsPerSecond: result.requests.average };
console.log(JSON.stringify(load));
