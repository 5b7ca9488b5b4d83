// Reads runbooks as Markdown tokens, which the page renders as React elements. Nothing of a text
// becomes HTML.

import { lexer, type MarkedToken } from 'marked';

export function tokensOf(markdown: string): MarkdownTokens {
  return lexer(markdown).filter(({ type }) => type !== 'space') as MarkedToken[];
}

export type MarkdownTokens = readonly MarkedToken[];

/** The tokens inside; undefined for a token that has only its text. */
export function innerTokens(token: MarkedToken): MarkdownTokens | undefined {
  return 'tokens' in token ? (token.tokens as MarkedToken[] | undefined) : undefined;
}

/** The text on one line, without markup. */
export function plainText(token: MarkedToken): string {
  const inner = innerTokens(token);
  const text = inner?.map(plainText).join('') ?? ('text' in token ? token.text : token.raw);
  return text.replaceAll(/\s+/g, ' ');
}

/** The runbook that a link leads to, such as `no-leader`; undefined for any other address. */
export function linkedPage(href: string): string | undefined {
  return /^([a-z\d-]+)\.md(?:#.*)?$/.exec(href)?.[1];
}
