import type { ApiParameter, Endpoint } from './api-document.ts';

/** The values of parameters that an example sends. */
export type Values = Readonly<Record<string, string>>;

const inPath = ({ operation: { parameters = [] } }: Endpoint) => parameters.filter(({ in: place }) => place === 'path');
const inQuery = ({ operation: { parameters = [] } }: Endpoint) =>
  parameters.filter(({ in: place }) => place === 'query');

const given = (parameters: readonly ApiParameter[], values: Values) =>
  parameters.flatMap(({ name }) => {
    const value = values[name];
    return value === undefined || value === '' ? [] : [{ name, value }];
  });

/** Also escapes the quote that ends a shell word. */
const escapeSegment = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');

/** The path and query of a request; undefined without a value for every part of the path. */
export function requestTarget(endpoint: Endpoint, values: Values): string | undefined {
  const parts = given(inPath(endpoint), values);
  if (parts.length < inPath(endpoint).length) return undefined;
  const path = parts.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, () => escapeSegment(value)),
    endpoint.path,
  );
  const query = given(inQuery(endpoint), values).map(({ name, value }) => `${name}=${escapeSegment(value)}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

interface CodeExample {
  language: 'curl' | 'javaScript' | 'python';
  code: string;
}

/** UI-93: the same request in each language, with nothing to install. */
export function codeExamples(endpoint: Endpoint, values: Values, origin: string, isJson: boolean): CodeExample[] {
  return [
    { language: 'curl', code: `curl --location '${origin}${requestTarget(endpoint, values)}'` },
    { language: 'javaScript', code: javaScript(endpoint, values, origin, isJson) },
    { language: 'python', code: python(endpoint, values, origin, isJson) },
  ];
}

function javaScript(endpoint: Endpoint, values: Values, origin: string, isJson: boolean): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const path = given(inPath(endpoint), values);
  const query = given(inQuery(endpoint), values);
  const address = path.reduce(
    (text, { name }) => text.replace(`{${name}}`, () => `\${encodeURIComponent(${name})}`),
    `${origin}${endpoint.path}`,
  );
  const url = path.length === 0 ? quote(address) : `\`${address}\``;
  return [
    ...path.map(({ name, value }) => `const ${name} = ${quote(value)};`),
    ...(query.length === 0
      ? [`const response = await fetch(${url});`]
      : [
          `const query = new URLSearchParams({ ${query.map(({ name, value }) => `${name}: ${quote(value)}`).join(', ')} });`,
          `const response = await fetch(\`${address}?\${query}\`);`,
        ]),
    `if (!response.ok) throw new Error(\`HTTP \${response.status}: \${await response.text()}\`);`,
    `console.log(await response.${isJson ? 'json' : 'text'}());`,
  ].join('\n');
}

function python(endpoint: Endpoint, values: Values, origin: string, isJson: boolean): string {
  const path = given(inPath(endpoint), values);
  const query = given(inQuery(endpoint), values);
  const address = path.reduce(
    (text, { name }) => text.replace(`{${name}}`, () => `{quote(${pythonName(name)}, safe='')}`),
    `${origin}${endpoint.path}`,
  );
  const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const tools = [...(path.length > 0 ? ['quote'] : []), ...(query.length > 0 ? ['urlencode'] : [])];
  return [
    ...(isJson ? ['import json'] : []),
    ...(tools.length > 0 ? [`from urllib.parse import ${tools.join(', ')}`] : []),
    'from urllib.request import urlopen',
    '',
    ...path.map(({ name, value }) => `${pythonName(name)} = ${quote(value)}`),
    ...(query.length > 0
      ? [`query = urlencode({${query.map(({ name, value }) => `${quote(name)}: ${quote(value)}`).join(', ')}})`]
      : []),
    `url = ${path.length > 0 || query.length > 0 ? 'f' : ''}"${address}${query.length > 0 ? '?{query}' : ''}"`,
    'with urlopen(url) as response:',
    `    print(${isJson ? 'json.load(response)' : 'response.read().decode()'})`,
  ].join('\n');
}

const pythonName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
