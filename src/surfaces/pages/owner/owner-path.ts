/** The forms of an owner page that a suffix of its path asks for. */
export const OWNER_FORMS = ['md', 'csv', 'geojson'] as const;
type OwnerForm = (typeof OWNER_FORMS)[number];

/** A longer request line may be refused, by this service or by a proxy. */
const MAX_PATH = 4_000;
const OWNERS = '/japan/owners/';
const NEEDS_SPACE = new RegExp(`^\\.{1,2}$|\\.(?:${OWNER_FORMS.join('|')})$`);

/** UI-60: the page of an owner; undefined if the name is too long for a path. */
export function ownerPath(name: string): string | undefined {
  const plain = name.trim().toWellFormed();
  // Browsers resolve `.` and `..`, and a suffix names a form. White space does not matter (OWN-01), so a space keeps them apart.
  const path = `${OWNERS}${encodeURIComponent(plain)}${NEEDS_SPACE.test(plain) ? '%20' : ''}`;
  return plain === '' || path.length > MAX_PATH ? undefined : path;
}

/** The name and the form that the last segment of an owner's path asks for. */
export function readOwnerSegment(segment: string): { name: string; form: OwnerForm | undefined } {
  const form = OWNER_FORMS.find((each) => segment.endsWith(`.${each}`));
  return { name: form === undefined ? segment : segment.slice(0, -form.length - 1), form };
}
