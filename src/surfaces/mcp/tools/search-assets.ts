import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { Reit } from '../../../reit/life/reit.ts';
import { searchWithReit } from '../../../reit/life/search-with-reit.ts';
import { type SearchEnvelope, SearchEnvelopeSchema } from '../../../vocabulary/api-shapes.ts';
import { type SummaryEnvelope, SummaryEnvelopeSchema } from '../../../vocabulary/building-summary.ts';
import {
  isPlainSearch,
  readSearchArguments,
  SearchArgumentsSchema,
  type SearchRequest,
} from '../../../vocabulary/search-arguments.ts';
import { digestFullSearch, digestSearch, digestSummaries } from '../digest/lists.ts';
import { defineTool, type OnFault, type Tool, toolError, wholeAnswer } from './tool.ts';

const WORDS = {
  q: '',
  prefecture: '',
  ward: '',
  machiAza: '',
  type: '',
  page: '',
  view: 'full by default.',
  floorsMin: 'Above ground.',
  floorsMax: '',
  heightMin: 'Metres.',
  heightMax: '',
  builtMin: 'Year.',
  builtMax: '',
  has: 'Comma-separated: owner, yearBuilt, noConflict, venues, reit.',
  sort: 'Figures from the largest; distance needs near.',
  near: 'lat,lon, such as 35.6812,139.7671.',
  radius: 'Metres from near; 500 by default.',
  bbox: 'west,south,east,north in degrees.',
};

/** `today` tells the day in Japan. */
export function searchAssets(registry: Registry, reit: Reit, onFault: OnFault, today: () => string): Tool {
  return defineTool(
    {
      name: 'search_assets',
      title: 'Search buildings',
      description:
        'Find buildings in Japan by words, area, use, figures or place, 20 a page. Use `view: "summary"` to read many: a ' +
        'page of full records has about 150 KB, of summaries about 20 KB.\n\n' +
        '- `q` matches literally: each word must be a part of one value (id, Japanese or English name, Japanese address, ' +
        'or one alias). Prefer the Japanese spelling. Addresses are mostly written 丸の内一丁目9番2号: for 丸の内1-9-2 search ' +
        '丸の内一丁目9番2号, then 丸の内一丁目9-2 or 丸の内一丁目9番.\n' +
        '- Areas are slugs in lower case: tokyo, minato-ku, marunouchi-1-chome; osaka-shi-kita-ku in a large city. The slugs ' +
        'of a building are in its `path`. A slug that does not exist finds nothing.\n' +
        '- `type` is a category (residential, office, hotel …) or a word for one (apartments, museum, 事務所).\n' +
        '- `total` says how many match; with `q`, counting stops at 1,000. `page` goes to 50.\n\n' +
        'Example: {"prefecture":"tokyo","ward":"minato-ku","type":"office","heightMin":200,"sort":"height","view":"summary"}',
      input: SearchArgumentsSchema,
      words: WORDS,
      output: [SearchEnvelopeSchema, SummaryEnvelopeSchema],
      async answer(args) {
        const request = readSearchArguments(args);
        if (!request.ok) return toolError(`invalid_input: ${request.failure}.`);
        const { body, release } = await searchWithReit(registry, reit, request.value, 'mcp');
        try {
          // The bytes belong to another thread until they are released.
          const envelope = Buffer.from(body);
          return wholeAnswer(textOf(envelope, request.value, today()), envelope);
        } finally {
          release?.();
        }
      },
    },
    onFault,
  );
}

function textOf(envelope: Uint8Array, request: SearchRequest, today: string): string {
  if (request.view === 'summary') return digestSummaries(parseBody<SummaryEnvelope>(envelope), today);
  const found = parseBody<SearchEnvelope>(envelope);
  return isPlainSearch(request) ? digestSearch(found) : digestFullSearch(found, today);
}
