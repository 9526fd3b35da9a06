import type { Client } from '@modelcontextprotocol/client';
import type { Question } from './questions.ts';

/** What an agent may read to answer one question. */
export const MAX_TOKENS = 10_000;

export interface Outcome {
  asks: string;
  tokens: number;
  /** What was missing, wrong or too long; empty if the question is answered. */
  faults: string[];
}

/** A token has four characters of ASCII, or one other character. */
function tokensOf(text: string): number {
  const characters = [...text];
  const others = characters.filter((character) => character > '\x7f').length;
  return Math.ceil((characters.length - others) / 4 + others);
}

/** Runs the calls of a question, and looks for its facts in the results: text and structured content. */
export async function askQuestion(client: Client, { asks, calls, facts, absent = [] }: Question): Promise<Outcome> {
  let read = '';
  const faults: string[] = [];
  for (const { tool, args } of calls) {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
    if (isError) faults.push(`${tool} failed`);
    read += `${content.map((part) => (part.type === 'text' ? part.text : '')).join('')}\n${JSON.stringify(structuredContent)}\n`;
  }
  for (const fact of facts) {
    if (typeof fact === 'string' ? !read.includes(fact) : !fact.test(read)) faults.push(`missing: ${fact}`);
  }
  faults.push(...absent.filter((word) => read.includes(word)).map((word) => `should not be there: ${word}`));
  const tokens = tokensOf(read);
  if (tokens > MAX_TOKENS) faults.push(`${tokens} tokens`);
  return { asks, tokens, faults };
}
