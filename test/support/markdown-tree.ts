import { marked, type Token, type Tokens } from 'marked';
import { readHtml, textOf } from './html-tree.ts';

/** The rendered text on one line. */
export function markdownWords(markdown: string): string {
  return textOf(readHtml(`<!doctype html><title>x</title>${marked.parse(markdown, { async: false })}`));
}

/** The structure of a document without its text: blocks, table cells and inline elements. */
export function markdownShape(markdown: string): string[] {
  const shape: string[] = [];
  const visit = (tokens: readonly Token[], depth: number) => {
    for (const token of tokens) {
      if (token.type !== 'escape' && token.type !== 'text' && token.type !== 'space') {
        shape.push(`${' '.repeat(depth)}${token.type}${token.type === 'heading' ? token.depth : ''}`);
      }
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        for (const cell of [header, ...rows].flat()) {
          shape.push(`${' '.repeat(depth + 1)}cell`);
          visit(cell.tokens, depth + 2);
        }
      } else if (token.type === 'list') {
        for (const item of (token as Tokens.List).items) {
          shape.push(`${' '.repeat(depth + 1)}item`);
          visit(item.tokens, depth + 2);
        }
      } else visit(('tokens' in token && token.tokens) || [], depth + 1);
    }
  };
  visit(marked.lexer(markdown), 0);
  return shape;
}

export function markdownLinks(markdown: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href);
  });
  return links;
}
