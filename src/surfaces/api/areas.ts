import { type TString, Type } from 'typebox';
import { AreaSummarySchema } from '../../vocabulary/api-shapes.ts';
import { sendProblem } from '../http/refuse.ts';
import { sendFinished } from '../http/send-finished.ts';
import { type ApiEndpoint, defineEndpoint } from './api-endpoint.ts';
import { AREA_EXAMPLES } from './examples.ts';

const slug = (description: string, example: string) => Type.String({ description, examples: [example] });

const LEVELS = {
  prefecture: slug('Slug of the prefecture.', 'tokyo'),
  ward: slug('Slug of the ward, city, town or village in the prefecture.', 'chiyoda-ku'),
  machiAza: slug('Slug of the machi-aza (neighbourhood) in the ward.', 'marunouchi-1-chome'),
};
type Level = keyof typeof LEVELS;

const NO_AREA = 'no published building is in such an area';

const DESCRIPTIONS: Readonly<Record<Level, Pick<ApiEndpoint, 'operationId' | 'summary' | 'description'>>> = {
  prefecture: {
    operationId: 'getPrefecture',
    summary: 'Summarise a prefecture',
    description:
      'How many buildings of the prefecture are published, when a record of one of them last changed, its wards with ' +
      'their counts, and how many of the buildings have each field.',
  },
  ward: {
    operationId: 'getWard',
    summary: 'Summarise a ward',
    description: 'The same for a ward, with its machi-aza.',
  },
  machiAza: {
    operationId: 'getMachiAza',
    summary: 'Summarise a machi-aza',
    description: 'The same for a machi-aza, which is the lowest level and has no children.',
  },
};

const ANSWERS: Readonly<Record<Level, string>> = {
  prefecture: 'The prefecture and its wards.',
  ward: 'The ward and its machi-aza.',
  machiAza: 'The machi-aza.',
};

/** ARE-01, ARE-02, ARE-03: one endpoint per level. */
export const areaEndpoints = (Object.keys(LEVELS) as Level[]).map((level, depth, levels) => {
  const names = levels.slice(0, depth + 1);
  return defineEndpoint({
    ...DESCRIPTIONS[level],
    path: `/areas/${names.map((name) => `{${name}}`).join('/')}`,
    tag: 'Areas',
    pathParameters: Object.fromEntries(names.map((name) => [name, LEVELS[name]])) as Record<Level, TString>,
    answer: { description: ANSWERS[level], schema: AreaSummarySchema, example: AREA_EXAMPLES[level] },
    badRequest: 'A path segment cannot be decoded.',
    notFound: { description: 'No published building is in such an area.', detail: NO_AREA },
    async handle({ registry }, slugs, request, reply) {
      const found = await registry.getArea(names.map((name) => slugs[name]));
      return found.ok ? sendFinished(request, reply, found.value) : sendProblem(reply, 404, NO_AREA);
    },
  });
});
