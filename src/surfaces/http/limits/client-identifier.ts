import { createHmac } from 'node:crypto';
import { isIP, isIPv6, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** RATE-05: tells clients apart without keeping their addresses. */
export function clientIdentifier(key: Uint8Array, trustsProxy: boolean): (request: FastifyRequest) => string {
  const identify = (address: string | undefined) =>
    createHmac('sha256', key)
      .update(networkOf(address ?? ''))
      .digest('base64url')
      .slice(0, 22);
  if (trustsProxy) {
    // What a proxy passes on may have a port, or be no address at all: then the proxy itself is the client.
    return ({ ip, raw: { socket } }) => {
      const address = withoutPort(ip);
      return identify(isIP(address) === 0 ? socket.remoteAddress : address);
    };
  }

  // Without a proxy to believe, every request of a connection is the same client's.
  const known = new WeakMap<Socket, string>();
  return ({ raw: { socket } }) => {
    let client = known.get(socket);
    if (client === undefined) {
      client = identify(socket.remoteAddress);
      known.set(socket, client);
    }
    return client;
  };
}

function withoutPort(address: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
}

/** What one client has to itself: an IPv4 address, however it is written, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function groupsOf(address: string): number[] {
  const withoutDots = address
    .replace(/%.*$/, '')
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) =>
      [0, 2].map((i) => (Number(bytes[i]) * 256 + Number(bytes[i + 1])).toString(16)).join(':'),
    );
  const [left = [], right] = withoutDots.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = right === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill('0'), ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}
