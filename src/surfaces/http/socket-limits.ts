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
  /**
   * To read nothing of a streamed answer, which may hold a connection to the database. The system takes megabytes ahead
   * of a slow client, so that one that reads steadily may seem to stand still for a minute. Where others wait for its
   * place, a client loses it sooner (long-reads.ts).
   */
  stall: number;
  /** To read nothing of any other answer. */
  idle: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  check: 1_000,
  stall: 240_000,
  idle: 120_000,
};
