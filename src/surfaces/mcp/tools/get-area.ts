import { Type } from 'typebox';
import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { type AreaSummary, AreaSummarySchema } from '../../../vocabulary/api-shapes.ts';
import { digestArea } from '../digest/area.ts';
import { defineTool, type OnFault, type Tool, toolError, wholeAnswer } from './tool.ts';

const slug = (description: string, example: string) => Type.String({ description, examples: [example] });

const NO_AREA =
  'not_found: no published building is in such an area. Areas go by slug in lower case (tokyo, chiyoda-ku, ' +
  'marunouchi-1-chome; in a large city osaka-shi-kita-ku); a prefecture lists its wards, a ward its machi-aza.';

/** ERA-03 */
export function getArea(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'get_area',
      title: 'Summarise an area',
      description:
        'How many buildings a prefecture, ward or machi-aza (neighbourhood) has, when one last changed, how many ' +
        'have each field (`coverage`), and the areas inside with their slugs and counts. ' +
        'Example: {"prefecture":"tokyo","ward":"minato-ku"}',
      input: Type.Object({
        prefecture: slug('A prefecture.', 'tokyo'),
        ward: Type.Optional(slug('A ward, city, town or village.', 'minato-ku')),
        machiAza: Type.Optional(slug('Needs ward.', 'shibakoen-4-chome')),
      }),
      output: [AreaSummarySchema],
      async answer({ prefecture, ward, machiAza }) {
        if (machiAza !== undefined && ward === undefined) return toolError('invalid_input: machiAza needs ward.');
        const slugs = [prefecture, ward, machiAza].filter((slug) => slug !== undefined);
        const found = await registry.getArea(slugs);
        if (!found.ok) return toolError(NO_AREA);
        return wholeAnswer(digestArea(parseBody<AreaSummary>(found.value.body)), found.value.body);
      },
    },
    onFault,
  );
}
