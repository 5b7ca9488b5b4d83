// Page for links in emails. The code follows the `#` in the link, so no server, proxy or log sees
// it. The page posts only when the user presses a button, so an email scanner that opens the link
// confirms nothing. Everything is in one file, and its policy allows nothing else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

export const CONFIRM_PATH = '/confirm';

const FILE = new URL('confirm-page.html', import.meta.url);
const INLINE = /<(script|style)>([\s\S]*?)<\/\1>/g;

export function addConfirmPage(server: FastifyInstance, exchangeName: string): void {
  const html = readFileSync(FILE, 'utf8').replaceAll('{{exchange}}', escapeHtml(exchangeName));
  const policy = policyOf(html);
  server.get(CONFIRM_PATH, (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .type('text/html; charset=utf-8')
      .send(html),
  );
}

/** Allows the inline script and style by their hashes, and requests to this origin. */
function policyOf(html: string): string {
  const hashes = { script: '', style: '' };
  for (const [, kind, text] of html.matchAll(INLINE)) {
    const hash = createHash('sha256').update(text).digest('base64');
    hashes[kind as keyof typeof hashes] = `'sha256-${hash}'`;
  }
  return [
    "default-src 'none'",
    `script-src ${hashes.script}`,
    `style-src ${hashes.style}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]);
}
