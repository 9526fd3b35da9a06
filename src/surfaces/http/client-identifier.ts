import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** RATE-05: identifies clients without keeping their addresses. */
export function clientIdentifier(key: Uint8Array, trustsProxy: boolean): (request: FastifyRequest) => string {
  const identify = (address: string | undefined) =>
    createHmac('sha256', key)
      .update(networkOf(address ?? ''))
      .digest('base64url')
      .slice(0, 22);
  if (trustsProxy) {
    const known = new WeakMap<IncomingMessage, string>();
    return ({ ip, raw }) => {
      let client = known.get(raw);
      if (client === undefined) {
        // A forwarded address may have a port. If it is not an address, the proxy itself is the client.
        const address = withoutPort(ip);
        client = identify(isIP(address) === 0 ? raw.socket.remoteAddress : address);
        known.set(raw, client);
      }
      return client;
    };
  }

  // Without a trusted proxy, every request of a connection is from the same client.
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

/** The addresses that belong to one client: an IPv4 address, however it is written, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const ip = ipaddr.IPv6.parse(address);
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const prefix = ip.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}
