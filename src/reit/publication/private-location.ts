const PRIVATE_NAME = /^localhost$|\.(?:localhost|local|internal|intranet|lan|corp|home|home\.arpa)$/i;
const INNER_NAME = /^(?:localhost|intranet|internal|corp|wiki|share|files?|nas|db|server)\d*$/i;
const PRIVATE_V4 =
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_V6 = /^\[(?:::|f[cd]|fe[89ab])/i;
/** A link that opens by what it carries is a key, not an address. */
const CARRIES_KEY = /[?&](?:[\w-]*signature|sig|[\w-]*token|[\w-]*api[_-]?key|subscription-key|password)=/i;

/** REIT-03: an address that anyone can open, and that gives nothing away. */
export function isPublicUrl(text: string): boolean {
  if (text !== text.trim() || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  if (username !== '' || password !== '' || CARRIES_KEY.test(search)) return false;
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return !PRIVATE_V6.test(host);
  return host.includes('.') && !PRIVATE_NAME.test(host) && !PRIVATE_V4.test(host);
}

/** Where someone keeps a file: an address that is not public, or a path on a machine. */
const FILE_LOCATION = [
  /\bfile:\//i,
  /\b(?:s3|s3a|gs|gcs|abfss?|wasbs?|az|smb|nfs|sftp|ftp|ssh|jdbc:\w+|postgres(?:ql)?|mysql):\/\//i,
  /(?:^|[\s"'「（(=:])[A-Za-z]:[\\/](?!\/)/,
  /(?:^|[\s"'「（(=:])\\\\[\w.-]+\\/,
  /(?:^|[\s"'「（(=:])~\/\S/,
  /(?:^|[\s"'「（(=:])(?:\.{1,2}\/)*data\/archive\/\S/,
  /(?:^|[\s"'「（(=:])\/(?:home|Users|Volumes|srv|var|tmp|mnt|media|opt|root|etc|usr|data|archive|private|work|app)\/\S/,
];
const URL_INSIDE = /https?:\/\/[^\s"'<>「」（）()]+/gi;

/** `http://x` in a name leads nowhere: a word that looks like an address, unlike a name that people give their own machines. */
function hasBareName(url: string): boolean {
  const { hostname, username, password, search } = new URL(url);
  return (
    /^[a-z0-9-]+$/i.test(hostname) && !INNER_NAME.test(hostname) && !username && !password && !CARRIES_KEY.test(search)
  );
}

/** Whether a text gives away where a file lies. */
export function hasPrivateLocation(text: string): boolean {
  if (FILE_LOCATION.some((form) => form.test(text))) return true;
  return [...text.matchAll(URL_INSIDE)].some(([url]) => URL.canParse(url) && !isPublicUrl(url) && !hasBareName(url));
}
