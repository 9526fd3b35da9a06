import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { lastingHeaders } from './lasting-headers.ts';

export interface Answer {
  headers: string[];
  body: Buffer;
}

/** The responses of another server to the paths on standard input, and how long it keeps connections. */
export async function readAnswers(origin: string): Promise<{ answers: Map<string, Answer>; keepAlive: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers = new Map<string, Answer>();
  let keepAlive = 5;
  for (const path of new Set((await text(process.stdin)).split('\n'))) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${origin}${path}`, { agent }, resolve).once('error', reject);
    });
    if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
    keepAlive = Number(/timeout=(\d+)/.exec(String(response.headers['keep-alive']))?.[1] ?? keepAlive);
    answers.set(path, { headers: lastingHeaders(response.rawHeaders), body: await buffer(response) });
  }
  agent.destroy();
  return { answers, keepAlive: keepAlive * 1000 };
}
