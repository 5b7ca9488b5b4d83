// The text of a message in safe HTML, by paragraphs. The apps never write HTML into the page.

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

export function paragraphsOf(html: string): string[] {
  return html
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|li|h[1-6]|tr|blockquote)>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#x?[\da-f]+|\w+);/gi, (entity, name: string) => characterOf(name) ?? entity)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const isHex = name[1].toLowerCase() === 'x';
  const point = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
