// Sends emails to the operator's SMTP server over a few persistent connections. Requires
// encryption, except on this machine itself.

import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Clock } from '../../infra/process/index.ts';
import type { MailTransport, OutgoingMail, SendOutcome } from './mail-transport.ts';

export interface SmtpSettings {
  readonly url: URL;
  readonly connectionsMax: number;
  /** Time limit for one email. */
  readonly sendTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 60_000;
const MAILS_PER_CONNECTION = 100;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

export function smtpOptions({ connectionsMax, url }: Pick<SmtpSettings, 'url' | 'connectionsMax'>) {
  const isTlsFirst = url.protocol === 'smtps:';
  const isLoopback = LOOPBACK.test(url.hostname);
  const [user, pass] = [url.username, url.password].map(decodeURIComponent);
  const defaultPort = isTlsFirst ? SMTPS_PORT : SUBMISSION_PORT;
  return {
    pool: true as const,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPort : Number(url.port),
    secure: isTlsFirst,
    requireTLS: !isTlsFirst && !isLoopback,
    ignoreTLS: !isTlsFirst && isLoopback,
    tls: { minVersion: 'TLSv1.2' as const, rejectUnauthorized: true },
    ...(user === '' ? {} : { auth: { user, pass } }),
    maxConnections: connectionsMax,
    maxMessages: MAILS_PER_CONNECTION,
    // The outbox repeats emails, and counts the attempts.
    maxRequeues: 0,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Returns the email for nodemailer. Addresses are objects, never parsed from a text. */
export function mimeOf(mail: OutgoingMail): SendMailOptions {
  const { createdAt, from, html, messageId, subject, text, to } = mail;
  return {
    messageId,
    date: createdAt,
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': mail.language,
    },
  };
}

export function openSmtp(settings: SmtpSettings, clock: Clock): MailTransport {
  const transport = createTransport(smtpOptions(settings));
  return { send, close: () => transport.close() };

  function send(mail: OutgoingMail): Promise<SendOutcome> {
    return new Promise((done) => {
      const { sendTimeoutMs } = settings;
      const timer = clock.after(sendTimeoutMs, () => end({ kind: 'deferred', error: 'timeout' }));
      transport.sendMail(mimeOf(mail)).then(
        () => end({ kind: 'sent' }),
        (fault: unknown) => end(outcomeOfFault(fault)),
      );

      function end(outcome: SendOutcome): void {
        timer.cancel();
        done(outcome);
      }
    });
  }
}

interface SmtpFault {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * A 5xx reply to the recipient or to the message is final. Any other failure, including a 5xx reply
 * to the login or to the sender, is for the operator to repair, and the email stays queued.
 */
export function outcomeOfFault(fault: unknown): SendOutcome {
  const { code = 'fault', command = '', response = '', responseCode = 0 } = fault as SmtpFault;
  const isFinal = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  // A reply's text often repeats the address; its codes do not.
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const reply = [responseCode || undefined, enhanced].filter((part) => part !== undefined);
  const error = [code, command, ...reply].filter((part) => part !== '').join(' ');
  return { kind: isFinal ? 'refused' : 'deferred', error };
}
