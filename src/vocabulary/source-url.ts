import { fail, ok, type Result } from './result.ts';
import { hiddenIn } from './text.ts';

/** An address that may be published. */
interface SourceUrl {
  url: string;
  /** What was removed from the address as it was given: never the secret itself. */
  removed: string[];
}

const CREDENTIALS = /^(https?:\/\/)[^/?#\\]*@/;
/** Parameters that let whoever has them in, by their names: EDINET takes its key as Subscription-Key. */
const SECRET =
  /^(?:[\w-]*(?:api[_-]?key|subscription[_-]?key|access[_-]?key|secret|token|signature|credential|passw(?:or)?d|passphrase)|app[_-]?id|auth|authorization|jwt|sig|pwd|jsessionid|phpsessid|sessionid)$/i;
/** A parameter called key is one by its value: record numbers are short. */
const LONG_KEY = /^key=[\w%.~-]{16,}$/i;

/** Most addresses: a host by name and a path, with nothing that could be a secret. Parsing each would cost every ingest. */
const PLAIN = /^https?:\/\/(?!xn--|[^/]*\.xn--)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}(?:\/[\w\-./~%+,:=!()]*)?$/i;

/** Whether a text is written like an http or https address, without spaces, quotes, angle brackets and controls. */
export const isWebAddress = (text: string) => /^https?:\/\/[^\s<>"\p{Cc}]+$/u.test(text);

/** An http or https address, parsed; undefined for everything else. */
export function parseWebUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** An address from outside without credentials and keys; or why it is none. Only http and https can be cited. */
export function readSourceUrl(text: string): Result<SourceUrl, string> {
  if (PLAIN.test(text)) return ok({ url: text, removed: [] });
  if (!isWebAddress(text) || hiddenIn(text) !== undefined) return fail('must be an http or https address');
  const removed: string[] = [];
  let url = text.replace(CREDENTIALS, '$1');
  if (url !== text) removed.push('credentials');
  const [path = '', ...rest] = url.split(/(?=[?#])/);
  // Some servers take parameters inside the path, each behind a semicolon.
  const plainPath = path.replace(/;[^;/]*/g, (parameter) => (isSecret(parameter.slice(1)) ? '' : parameter));
  const kept = plainPath + rest.map((part) => withoutSecrets(part)).join('');
  if (kept !== path + rest.join('')) {
    removed.push('an access key');
    url = kept;
  }
  if (!URL.canParse(url)) return fail('must be an http or https address');
  // However it is written: browsers read https:///user@host as having a user.
  const { username, password } = new URL(url);
  return username === '' && password === '' ? ok({ url, removed }) : fail('carries credentials');
}

/** A query or a fragment, with its mark, but for the parameters that are secret; nothing where no other is left. */
function withoutSecrets(part: string): string {
  const pairs = part.slice(1).split(/([&;])/);
  const kept = pairs.filter((pair, i) => i % 2 === 1 || !isSecret(pair));
  if (kept.length === pairs.length) return part;
  const text = kept
    .join('')
    .replace(/([&;])[&;]+/g, '$1')
    .replace(/^[&;]|[&;]$/g, '');
  return text === '' ? '' : `${part[0]}${text}`;
}

const isSecret = (pair: string) => SECRET.test(nameOf(pair)) || LONG_KEY.test(pair);

function nameOf(pair: string): string {
  const name = pair.slice(0, pair.includes('=') ? pair.indexOf('=') : 0);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
