// Announcement message: operators write plain paragraphs, and the exchange stores HTML.

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Blank lines separate paragraphs. HTML characters are escaped. */
export function htmlOf(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign]);
}

export type Phase = 'planned' | 'shown' | 'over';

/** Returns whether users see the announcement now. */
export function phaseOf(
  { end_date: end, start_date: start }: { start_date: string | null; end_date: string | null },
  nowMs: number,
): Phase {
  if (start !== null && Date.parse(start) > nowMs) return 'planned';
  return end !== null && Date.parse(end) <= nowMs ? 'over' : 'shown';
}
