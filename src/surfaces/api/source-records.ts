import { Type } from 'typebox';
import { tagOf } from '../../registry/records.ts';
import { OneOf } from '../../vocabulary/schema.ts';
import { SourceRecordSchema } from '../../vocabulary/source-record.ts';
import { SOURCES } from '../../vocabulary/sources.ts';
import { sendProblem } from '../http/refuse.ts';
import { sendFinished } from '../http/send-finished.ts';
import { defineEndpoint } from './api-endpoint.ts';
import { SOURCE_RECORD_EXAMPLE } from './examples.ts';

const notFound = {
  description: 'No record of this source with this ID, and none that carries it as an identifier, was ever read.',
  detail: 'no record of this source with this id was ever read',
} as const;

export const sourceRecordEndpoint = defineEndpoint({
  path: '/source-records',
  operationId: 'getSourceRecord',
  tag: 'Buildings',
  summary: 'Find what became of a source record',
  description:
    'Says what became of a record of a source: the building that it belongs to and the fields that it won, or why it ' +
    'contributes nothing. Every record that was ever read is found, also if it was matched to no building or was ' +
    'withdrawn. The ID is compared exactly, as the source writes it.\n\n' +
    'Records of PLATEAU are also found by a real-estate ID (不動産ID) of the building, a unit or the land, and records of ' +
    'OpenStreetMap by the value of a `ref:*` tag or by `ref:key=value`. If records with the identifier lead to several ' +
    'buildings, the answer is `ambiguous`, with the identifier in place of the ID. A record that applies to several ' +
    'buildings, such as the item of a complex, leads to the first of them by ID.',
  queryParameters: {
    source: OneOf(SOURCES, { description: 'The source of the record.', examples: ['osm'] }),
    id: Type.String({
      minLength: 1,
      description: 'The ID of the record inside its source, or an identifier that the record carries.',
      examples: ['way/9000000013001'],
    }),
  },
  answer: {
    description: 'The record and what became of it.',
    schema: SourceRecordSchema,
    example: SOURCE_RECORD_EXAMPLE,
  },
  badRequest: 'The source is unknown, or a parameter is missing, empty or given twice, or cannot be decoded.',
  notFound,
  async handle({ registry }, { source, id }, request, reply) {
    const found = await registry.findSourceRecord(source, id);
    if (found === undefined) return sendProblem(reply, 404, notFound.detail);
    const body = Buffer.from(JSON.stringify(found));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body });
  },
});
