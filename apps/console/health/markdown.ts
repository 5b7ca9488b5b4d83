// The runbooks as blocks for the page: headings, paragraphs, lists, tables and code of the small
// part of Markdown that they use. Nothing of a text becomes HTML.

export type Inline =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  /** To another page beside it: `no-leader`. Other links are shown as their text. */
  | { readonly kind: 'link'; readonly text: string; readonly page: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly line: readonly Inline[] }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

const ITEM = /^(?:[-*]|(\d+)\.) +/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const takeWhile = (isPart: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && isPart(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    if (line.trim() === '') at += 1;
    else if (heading !== null) {
      blocks.push({ kind: 'heading', level: heading[1].length, text: heading[2] });
      at += 1;
    } else if (line.startsWith('```')) {
      at += 1;
      const text = takeWhile((one) => !one.startsWith('```')).join('\n');
      at += 1;
      blocks.push({ kind: 'code', text });
    } else if (line.startsWith('|')) {
      blocks.push(tableOf(takeWhile((one) => one.startsWith('|'))));
    } else if (ITEM.test(line)) {
      const part = takeWhile((one) => ITEM.test(one) || /^ {2,}\S/.test(one));
      blocks.push(listOf(part));
    } else {
      const part = takeWhile((one) => one.trim() !== '' && !/^(?:#|```|\|)/.test(one));
      blocks.push({ kind: 'paragraph', line: inlinesOf(part.join(' ')) });
    }
  }
  return blocks;
}

function listOf(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { kind: 'list', isOrdered: /^\d/.test(lines[0]), items: items.map(inlinesOf) };
}

function tableOf(lines: readonly string[]): Block {
  const cells = (line: string) =>
    line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => inlinesOf(cell.trim()));
  return { kind: 'table', head: cells(lines[0]), rows: lines.slice(2).map(cells) };
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

export function inlinesOf(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, label, target] = match;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else parts.push(linkOf(label, target));
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function linkOf(text: string, target: string): Inline {
  const page = /^([a-z\d-]+)\.md(?:#.*)?$/.exec(target);
  return page === null ? { kind: 'text', text } : { kind: 'link', text, page: page[1] };
}
