// Inbox of a development exchange: instead of an SMTP server it stores the last emails in memory
// and serves them as a page and as JSON. It must never run in production.

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../infra/process/index.ts';
import { listPage, messagePage, type StoredMail } from './inbox-page.ts';
import type { MailTransport, OutgoingMail } from './mail-transport.ts';
import { mimeOf } from './smtp-transport.ts';

export interface Inbox extends MailTransport {
  /** Resolves with its port. */
  listen(): Promise<number>;
  stop(): Promise<void>;
}

export interface InboxOptions {
  readonly clock: Clock;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly exchange: string;
}

const KEPT_MAX = 200;

export function createInbox({ clock, exchange, host, port }: InboxOptions): Inbox {
  // Oldest first.
  const kept: StoredMail[] = [];
  let lastId = 0;
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const server = createServer((request, response) => respond(request, response));
  return { send, close: () => {}, listen, stop };

  async function send(mail: OutgoingMail) {
    const { message } = await composer.sendMail(mimeOf(mail));
    lastId += 1;
    kept.push({ ...mail, id: lastId, at: new Date(clock.nowMs()), raw: String(message) });
    if (kept.length > KEPT_MAX) kept.shift();
    return { kind: 'sent' } as const;
  }

  function listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
    });
  }

  function stop(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const {
      body,
      policy,
      status = 200,
      type,
    } = answer(new URL(request.url ?? '/', 'http://inbox'));
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': policy ?? "default-src 'none'",
    });
    response.end(body);
  }

  function answer({ pathname, searchParams }: URL): Answer {
    const newestFirst = kept.toReversed();
    if (pathname === '/messages.json') {
      const to = searchParams.get('to')?.toLowerCase();
      const chosen = newestFirst.filter((mail) => to === undefined || mail.to.toLowerCase() === to);
      return { type: 'application/json', body: JSON.stringify(chosen) };
    }
    const nonce = randomBytes(16).toString('base64');
    const policy = pagePolicy(nonce);
    if (pathname === '/') {
      return { type: 'text/html', policy, body: listPage(newestFirst, { exchange, nonce }) };
    }
    const [, id = '', view = ''] = /^\/messages\/(\d+)(?:\/(html|raw|text))?$/.exec(pathname) ?? [];
    const mail = kept.find((one) => one.id === Number(id));
    if (mail === undefined) return { type: 'text/plain', status: 404, body: 'Not found\n' };
    if (view === 'html') return { type: 'text/html', policy: MAIL_POLICY, body: mail.html };
    if (view === 'raw') return { type: 'text/plain', body: mail.raw };
    if (view === 'text') return { type: 'text/plain', body: mail.text };
    return { type: 'text/html', policy, body: messagePage(mail, { exchange, nonce }) };
  }
}

interface Answer {
  readonly type: string;
  readonly body: string;
  readonly status?: number;
  readonly policy?: string;
}

/** An email can have styles and nothing else; its links open in a new window. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox';

function pagePolicy(nonce: string): string {
  return `default-src 'none'; style-src 'nonce-${nonce}'; frame-src 'self'; base-uri 'none'`;
}
