import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The code of the error that `publicLookup` gives for a private address. */
export const PRIVATE_ADDRESS = 'EPRIVATE';

function isPrivate(address: string): boolean {
  return ipaddr.process(address).range() !== 'unicast';
}

/** Whether a host is written as an address that is not on the public internet. */
export function isPrivateLiteral(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && isPrivate(address);
}

/**
 * Resolves a host name for one connection, and refuses private addresses. The connection uses the address that was checked, so
 * that a second answer of the name server cannot change it.
 */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) done(error ?? new Error('no address'), '');
    else if (addresses.some(({ address }) => isPrivate(address)))
      done(Object.assign(new Error('private address'), { code: PRIVATE_ADDRESS }), '');
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
