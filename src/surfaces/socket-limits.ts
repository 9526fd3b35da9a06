/** How long a client may take, in milliseconds. */
export interface SocketLimits {
  /** To send the headers of a request. */
  headers: number;
  /** To send a whole request. */
  request: number;
  /** To send the next request. Longer than the 60 s for which proxies usually keep a connection. */
  keepAlive: number;
  /** How often is looked whether the first two are over. */
  check: number;
  /** To read nothing of a streamed answer, which may hold a connection to the database. */
  stall: number;
  /** To read nothing of any other answer. */
  idle: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  check: 1_000,
  stall: 20_000,
  idle: 120_000,
};
