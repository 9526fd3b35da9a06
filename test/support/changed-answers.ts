export type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [name: string]: Json };

const kindOf = (value: Json) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** One object of each kind of place, which is the names and types that lead to it. */
export function objectsIn(answer: JsonObject): { place: string; object: JsonObject }[] {
  const objects = new Map<string, JsonObject>();
  const visit = (value: Json, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) {
      // Objects with other members are of another kind.
      const members = Object.keys(value).filter((name) => !name.startsWith('/'));
      const key = `${place} ${members.map((name) => `${name}:${kindOf(value[name] as Json)}`).join()}`;
      if (!objects.has(key)) objects.set(key, value);
    }
    for (const [name, member] of Object.entries(value)) {
      visit(member, `${place}/${Array.isArray(value) ? '' : name}:${kindOf(member)}`);
    }
  };
  visit(answer, '');
  return [...objects].map(([key, object]) => ({ place: key.split(' ')[0] as string, object }));
}

const OTHERS: readonly Json[] = [null, true, 12.5, 'x', [], {}];

/** Changes one member at a time: deletes it, or gives it a value of another type. Says what is changed. */
export function* changesOf(answer: JsonObject): Generator<string> {
  for (const { place, object } of objectsIn(answer)) {
    const entries = Object.entries(object);
    for (const [name, before] of entries) {
      delete object[name];
      yield `${place}/${name} deleted`;
      for (const other of OTHERS) {
        if (kindOf(other) === kindOf(before)) continue;
        object[name] = other;
        yield `${place}/${name} is ${JSON.stringify(other)}`;
      }
      object[name] = before;
    }
  }
}
