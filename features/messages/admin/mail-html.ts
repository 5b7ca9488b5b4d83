// Converts an operator's HTML to plain text for an email: paragraphs without tags. Emails have the
// exchange's layout, so an operator's HTML never reaches a mailbox. Pure.

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

/** Returns the lines of the text, without empty ones. */
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
