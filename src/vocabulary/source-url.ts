import { fail, ok, type Result } from './result.ts';
import { hiddenIn } from './text.ts';

/** A URL that may be published. */
interface SourceUrl {
  url: string;
  /** What was removed from the given URL, without the secret itself. */
  removed: string[];
}

const CREDENTIALS = /^(https?:\/\/)[^/?#\\]*@/;
/** Names of parameters that grant access; EDINET's is Subscription-Key. */
const SECRET =
  /^(?:[\w-]*(?:api[_-]?key|subscription[_-]?key|access[_-]?key|secret|token|signature|credential|passw(?:or)?d|passphrase)|app[_-]?id|auth|authorization|jwt|sig|pwd|jsessionid|phpsessid|sessionid)$/i;
/** A parameter called key is a secret if it is long: record numbers are short. */
const LONG_KEY = /^key=[\w%.~-]{16,}$/i;

/** Most URLs: a host name and a path without any possible secret. Parsing each would slow every ingest. */
const PLAIN = /^https?:\/\/(?!xn--|[^/]*\.xn--)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}(?:\/[\w\-./~%+,:=!()]*)?$/i;

/** Whether a text looks like an http or https URL, without spaces, quotes, angle brackets and control characters. */
export const isWebAddress = (text: string) => /^https?:\/\/[^\s<>"\p{Cc}]+$/u.test(text);

/** An http or https URL; undefined otherwise. */
export function parseWebUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** A URL without credentials and keys, or why it is invalid. Only http and https can be cited. */
export function readSourceUrl(text: string): Result<SourceUrl, string> {
  if (PLAIN.test(text)) return ok({ url: text, removed: [] });
  if (!isWebAddress(text) || hiddenIn(text) !== undefined) return fail('must be an http or https address');
  const removed: string[] = [];
  let url = text.replace(CREDENTIALS, '$1');
  if (url !== text) removed.push('credentials');
  const [path = '', ...rest] = url.split(/(?=[?#])/);
  // Some servers accept parameters in the path, after semicolons.
  const plainPath = path.replace(/;[^;/]*/g, (parameter) => (isSecret(parameter.slice(1)) ? '' : parameter));
  const kept = plainPath + rest.map((part) => withoutSecrets(part)).join('');
  if (kept !== path + rest.join('')) {
    removed.push('an access key');
    url = kept;
  }
  if (!URL.canParse(url)) return fail('must be an http or https address');
  // In any notation: browsers read https:///user@host as having a user.
  const { username, password } = new URL(url);
  return username === '' && password === '' ? ok({ url, removed }) : fail('carries credentials');
}

/** A query or fragment with its mark, without secret parameters; empty if none is left. */
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
