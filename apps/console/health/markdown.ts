// Parses runbooks into Markdown tokens, which the page renders as React elements. Text never
// becomes HTML.

import { lexer, type MarkedToken } from 'marked';

export function tokensOf(markdown: string): MarkdownTokens {
  return lexer(markdown).filter(({ type }) => type !== 'space') as MarkedToken[];
}

export type MarkdownTokens = readonly MarkedToken[];

/** Child tokens; undefined for a token that has only text. */
export function innerTokens(token: MarkedToken): MarkdownTokens | undefined {
  return 'tokens' in token ? (token.tokens as MarkedToken[] | undefined) : undefined;
}

/** Returns the text on one line, without markup. */
export function plainText(token: MarkedToken): string {
  const inner = innerTokens(token);
  const text = inner?.map(plainText).join('') ?? ('text' in token ? token.text : token.raw);
  return text.replaceAll(/\s+/g, ' ');
}

/** Returns the runbook that a link points to, such as `no-leader`; undefined for other targets. */
export function linkedPage(href: string): string | undefined {
  return /^([a-z\d-]+)\.md(?:#.*)?$/.exec(href)?.[1];
}
