import { type Agent, get } from 'node:http';

export interface Answer {
  status: number;
  milliseconds: number;
  body: Buffer;
}

/** One GET up to the last byte of its response, timed from `since`. */
export function timedGet(agent: Agent, url: string, since = performance.now()): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const milliseconds = performance.now() - since;
        resolve({ status: response.statusCode ?? 0, milliseconds, body: Buffer.concat(chunks) });
      });
    }).once('error', reject);
  });
}
