import { Type } from 'typebox';
import { tagOf } from '../../registry/records.ts';
import {
  DEFAULT_CANDIDATES,
  type FoundAnswer,
  MAX_CANDIDATES,
  type MatchAnswer,
  MatchAnswerSchema,
  type MatchQuestion,
} from '../../vocabulary/match-shapes.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { OneOf } from '../../vocabulary/schema.ts';
import { SOURCES } from '../../vocabulary/sources.ts';
import { sendProblem } from '../http/refuse.ts';
import { sendFinished } from '../http/send-finished.ts';
import { defineEndpoint } from './api-endpoint.ts';
import { MATCH_EXAMPLE } from './examples.ts';

const queryParameters = {
  name: Type.Optional(
    Type.String({
      description:
        'A name of the building. Compared with all its names and aliases; width, case, spaces and punctuation do not matter.',
      examples: ['新丸の内ビルディング'],
    }),
  ),
  address: Type.Optional(
    Type.String({
      description:
        'A Japanese address, read as those of the registers: 丸の内1-9-2, 丸の内１丁目９番２号 and 丸の内一丁目9番2号 are one ' +
        'address. Give the municipality if the name of the machi-aza occurs more than once in Japan.',
      examples: ['東京都千代田区丸の内1-9-2'],
    }),
  ),
  lat: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'Latitude of a point in decimal degrees; needs `lon`.',
      examples: [35.68124],
    }),
  ),
  lon: Type.Optional(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'Longitude of a point in decimal degrees; needs `lat`.',
      examples: [139.76712],
    }),
  ),
  source: Type.Optional(
    OneOf(SOURCES, { description: 'The source of a record; needs `sourceRecordId`.', examples: ['osm'] }),
  ),
  sourceRecordId: Type.Optional(
    Type.String({ description: 'The ID of a record inside its source; needs `source`.', examples: ['way/104390193'] }),
  ),
  type: Type.Optional(
    Type.String({ description: 'Only buildings of this use, as in a search.', examples: ['office'] }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CANDIDATES,
      default: DEFAULT_CANDIDATES,
      description: 'The most candidates to return.',
    }),
  ),
};

interface MatchParameters {
  name?: string;
  address?: string;
  lat?: number | bigint;
  lon?: number | bigint;
  source?: (typeof SOURCES)[number];
  sourceRecordId?: string;
  type?: string;
  limit?: number | bigint;
}

/** RCN-04: a text without a word counts as not given, and of a pair both are needed. */
function readQuestion({ lat, lon, source, limit, ...texts }: MatchParameters): Result<MatchQuestion, string> {
  const given = (text: string | undefined) => (text?.trim() === '' ? undefined : text);
  const [name, address] = [given(texts.name), given(texts.address)];
  const [sourceRecordId, type] = [given(texts.sourceRecordId), given(texts.type)];
  if ((lat === undefined) !== (lon === undefined)) return fail('lat and lon must be given together');
  if ((source === undefined) !== (sourceRecordId === undefined))
    return fail('source and sourceRecordId must be given together');
  if (name === undefined && address === undefined && lat === undefined && source === undefined) {
    return fail('name, address, lat and lon, or source and sourceRecordId must be given');
  }
  return ok({
    ...(name && { name }),
    ...(address && { address }),
    ...(lat !== undefined && lon !== undefined && { point: { lat: Number(lat), lon: Number(lon) } }),
    ...(source !== undefined && sourceRecordId !== undefined && { record: { source, id: sourceRecordId } }),
    ...(type && { types: { uses: [type], match: 'any' as const } }),
    limit: Number(limit ?? DEFAULT_CANDIDATES),
  });
}

export const matchEndpoint = defineEndpoint({
  path: '/match',
  operationId: 'matchBuilding',
  tag: 'Buildings',
  summary: 'Find which building is meant',
  description:
    'Finds the building that a name, an address, a point or a source record means, by the rules that match the records ' +
    'of registers to buildings. Statements combine; they must not contradict each other.\n\n' +
    'An address finds the building with this house number; of several, the one that also has the name. A name alone is ' +
    'compared in all Japan. A point means the footprint that contains it. A source record means the building it ' +
    'describes; of merged buildings, the one that remains. Use `verdict`: only `match` is certain.',
  queryParameters,
  answer: {
    description: 'The verdict, and the buildings that fit at least in part.',
    schema: MatchAnswerSchema,
    example: MATCH_EXAMPLE,
  },
  badRequest:
    'None of name, address, point and source record is given, or half of a pair; or a number, the source or the limit is ' +
    'not allowed; or a parameter is given twice or cannot be decoded.',
  async handle({ registry }, parameters, request, reply) {
    const question = readQuestion(parameters);
    if (!question.ok) return sendProblem(reply, 400, `query parameters: ${question.failure}`);
    const [{ verdict, candidates }] = (await registry.match([question.value])) as [FoundAnswer];
    const answer: MatchAnswer = { verdict, candidates: candidates.map(({ categories: _, ...shown }) => shown) };
    const body = Buffer.from(JSON.stringify(answer));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body });
  },
});
