// HTML of an operator, made safe before it is stored: clients show it as it is. The output consists
// of escaped text and of tags from a short list, without attributes except the address of a link,
// and every tag is closed. Anything else of the input is dropped or shown as text. Pure.

const INLINE = ['b', 'strong', 'i', 'em', 'u', 's', 'code'];
const BLOCK = ['p', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre'];
const PAIRED: ReadonlySet<string> = new Set([...INLINE, ...BLOCK, 'a']);
/** Their content is no text for people. */
const DROPPED = ['script', 'style', 'iframe', 'object', 'template', 'svg', 'math', 'noscript'];
const DROPPED_CONTENT = new RegExp(
  `<(${DROPPED.join('|')})(?=[\\s/>])[\\s\\S]*?(?:</\\1\\s*>|$)`,
  'gi',
);
const COMMENTS = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)/g;
/** An opening or a closing tag; values in quotes may contain `>`. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/gi;
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};
const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:'];
const DEPTH_MAX = 20;

export function safeHtml(source: string): string {
  const html = source.toWellFormed().replaceAll('\0', '').replace(COMMENTS, '');
  const shown = html.replace(DROPPED_CONTENT, '');
  const open: string[] = [];
  let safe = '';
  let at = 0;
  for (const { 0: tag, 1: slash, 2: given, 3: attributes, index } of shown.matchAll(TAG)) {
    safe += textOf(shown.slice(at, index));
    at = index + tag.length;
    const name = given.toLowerCase();
    if (name === 'br') safe += '<br>';
    else if (slash === '/') safe += closed(name);
    else safe += opened(name, attributes);
  }
  safe += textOf(shown.slice(at));
  return safe + open.toReversed().map(endOf).join('');

  function opened(name: string, attributes: string): string {
    if (!PAIRED.has(name) || open.length === DEPTH_MAX) return '';
    const link = name === 'a' ? linkOf(attributes) : '';
    if (link === undefined) return '';
    open.push(name);
    return `<${name}${link}>`;
  }

  /** Also closes the tags inside; an end without a beginning is dropped. */
  function closed(name: string): string {
    const from = open.lastIndexOf(name);
    return from < 0 ? '' : open.splice(from).toReversed().map(endOf).join('');
  }
}

/** Undefined for an address that a link must not have. */
function linkOf(attributes: string): string | undefined {
  const found = HREF.exec(attributes);
  const address = decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
  const url = URL.parse(address);
  if (url === null || !LINK_PROTOCOLS.includes(url.protocol)) return undefined;
  return ` href="${escaped(url.href)}" target="_blank" rel="noopener noreferrer nofollow"`;
}

function endOf(name: string): string {
  return `</${name}>`;
}

function textOf(text: string): string {
  return escaped(decoded(text));
}

function decoded(text: string): string {
  return text.replace(ENTITY, (entity, name?: string, digits?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()];
    const code = digits === undefined ? Number.parseInt(hex ?? '', 16) : Number(digits);
    const isCharacter = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
