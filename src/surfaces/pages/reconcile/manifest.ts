import { CATEGORIES } from '../../../vocabulary/categories.ts';
import { FIELD_DESCRIPTIONS, SCALAR_FIELDS } from '../../../vocabulary/fields.ts';
import { RECONCILE_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { fieldName } from './extend.ts';
import { QUERY_PROPERTIES } from './read-batch.ts';

const PREVIEW_SIZE = { width: 430, height: 300 } as const;

/** A type or a property, as suggest services name it. */
interface NamedEntry {
  id: string;
  name: string;
  description?: string;
}

/** RCN-06: what the service offers, in the form of version 0.2 of the Reconciliation Service API. */
export function manifest(origin: string, t: Text): object {
  const service = (path: string) => ({ service_url: origin, service_path: `${RECONCILE_ROOT}${path}` });
  return {
    versions: ['0.2'],
    name: t.reconcile.serviceName,
    identifierSpace: `${origin}/japan/id/`,
    schemaSpace: `${origin}/japan/api/v1/openapi.json`,
    documentation: `${origin}/japan/api`,
    logo: `${origin}/favicon.svg`,
    view: { url: `${origin}/japan/id/{{id}}` },
    defaultTypes: typesOf(t),
    preview: { url: `${origin}${RECONCILE_ROOT}/preview?id={{id}}`, ...PREVIEW_SIZE },
    suggest: {
      entity: service('/suggest/entity'),
      property: service('/suggest/property'),
      type: service('/suggest/type'),
    },
    extend: { propose_properties: service('/extend/properties'), property_settings: [] },
  };
}

/** The 18 categories. */
export const typesOf = (t: Text): NamedEntry[] =>
  CATEGORIES.map((category) => ({ id: category, name: CATEGORY_LABELS[category][t.lang] }));

/** What queries may be refined by. */
export const queryPropertiesOf = (t: Text): NamedEntry[] =>
  QUERY_PROPERTIES.map((id) => ({ id, ...t.reconcile.properties[id] }));

/** What data extension can fetch. */
export const extensionPropertiesOf = (t: Text): NamedEntry[] =>
  SCALAR_FIELDS.map((field) => ({ id: field, name: fieldName(field, t), description: FIELD_DESCRIPTIONS[field] }));
