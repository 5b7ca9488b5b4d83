// HTML of an operator as plain text for a mail: paragraphs without tags. Mails have the layout of
// the exchange, so that no operator's HTML reaches a mailbox. Pure.

import { safeHtml } from '../announcements/safe-html.ts';

const BREAKS = /<br>|<\/(?:p|li|h[1-4]|blockquote|pre|ul|ol)>/g;
const TAGS = /<[^>]*>/g;
const ENTITIES: readonly [entity: string, character: string][] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
];

/** The lines of the text, without empty ones. */
export function linesOfHtml(source: string): string[] {
  const marked = safeHtml(source).replace(BREAKS, '\n').replace(TAGS, '');
  const text = ENTITIES.reduce(
    (found, [entity, character]) => found.replaceAll(entity, character),
    marked,
  );
  return text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map((line) => line.replace(/[\p{Cc}\s]+/gu, ' ').trim())
    .filter((line) => line !== '');
}

export function htmlOfLines(lines: readonly string[]): string {
  return lines.map((line) => `<p>${safeHtml(line.replaceAll('<', '&lt;'))}</p>`).join('\n');
}
