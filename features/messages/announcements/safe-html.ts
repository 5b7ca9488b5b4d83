// Sanitizes operators' HTML before it is stored, because clients show it unchanged. The output has
// only escaped text and allowed tags, without attributes except those of a link. Pure.

import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

/** Loaded on first use, so gateways start without its hundred modules. */
const load = createRequire(import.meta.url);

const INLINE = ['b', 'strong', 'i', 'em', 'u', 's', 'code', 'br'];
const BLOCK = ['p', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre'];
/** Tags whose content is not readable text. */
const DROPPED = ['script', 'style', 'iframe', 'object', 'template', 'svg', 'math', 'noscript'];
const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:'];
const DEPTH_MAX = 20;
/** Not allowed: its tags are removed and its text is kept. */
const NOT_A_LINK = { tagName: 'span', attribs: {} };

const OPTIONS: sanitize.IOptions = {
  allowedTags: [...INLINE, ...BLOCK, 'a'],
  allowedAttributes: { a: ['href', 'target', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  nonTextTags: [...DROPPED, 'textarea', 'option', 'xmp'],
  nestingLimit: DEPTH_MAX,
  transformTags: { a: linkOf },
  textFilter: (escaped) => escaped.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
};

export function safeHtml(source: string): string {
  const sanitizeHtml: typeof sanitize = load('sanitize-html');
  const text = source.toWellFormed().replaceAll('\0', '');
  // Removing a tag can leave a paragraph inside a paragraph; the second pass closes it.
  return sanitizeHtml(sanitizeHtml(text, OPTIONS), OPTIONS).replaceAll('<br />', '<br>');
}

function linkOf(_name: string, { href = '' }: sanitize.Attributes): sanitize.Tag {
  const url = URL.parse(href.trim());
  if (url === null || !LINK_PROTOCOLS.includes(url.protocol)) return NOT_A_LINK;
  const rel = 'noopener noreferrer nofollow';
  // Removes both kinds of quotes, whichever a client writes around the attribute.
  const safe = url.href.replaceAll("'", '%27');
  return { tagName: 'a', attribs: { href: safe, target: '_blank', rel } };
}
