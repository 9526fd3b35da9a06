import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { type SearchEnvelope, SearchEnvelopeSchema, SearchQuerySchema } from '../../../vocabulary/api-shapes.ts';
import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { digestSearch } from '../digest.ts';
import { defineTool, type OnFault, type Tool, wholeAnswer } from './tool.ts';

export function searchAssets(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'search_assets',
      title: 'Search buildings',
      description:
        'Find buildings in Japan by words, area or use, and get their full records, 20 a page, the most recently ' +
        'recorded first. A page is about 150 KB; the text names the buildings in one line each.\n\n' +
        '- `q` matches literally: each word must be a part of one and the same value (id, Japanese name, English name, ' +
        'Japanese address, or one alias). Nothing is transliterated or fuzzy, so prefer the Japanese spelling; two words ' +
        'narrow only within one value, so 東京 駅 does not combine a word of the address with one of the name. Case and ' +
        'character width do not matter.\n' +
        '- `prefecture`, `ward` (a ward, city, town or village) and `machiAza` (a neighbourhood) are slugs: tokyo, ' +
        'chiyoda-ku, marunouchi-1-chome. A prefecture has no suffix (osaka, kyoto, hokkaido); the ward of a large city ' +
        'begins with the city (osaka-shi-kita-ku). The slugs of a building are in its `path` and `location`, and at ' +
        'the end of its line in the text. A slug that does not exist finds nothing and is not an error; search by `q` ' +
        'instead.\n' +
        `- \`type\` is a use: ${CATEGORIES.join(', ')}; or a word for one (apartments, museum, 事務所), which finds all ` +
        'of its category; any other word finds the buildings whose recorded use is that word.\n' +
        '- `total` says how many match. With `q`, counting stops at 1,000, and totalCapped is true if more do. Ask for ' +
        'further pages with `page`, up to 50; narrow the search if that is not enough.',
      input: SearchQuerySchema,
      output: [SearchEnvelopeSchema],
      async answer(query) {
        const { body, release } = await registry.search(query);
        try {
          // The bytes belong to another thread until they are released.
          const envelope = Buffer.from(body);
          return wholeAnswer(digestSearch(parseBody<SearchEnvelope>(envelope)), envelope);
        } finally {
          release?.();
        }
      },
    },
    onFault,
  );
}
