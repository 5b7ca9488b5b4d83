// Reads the emails queued in the outbox like their recipient. Only tests import it.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { readMails } from '../../testing/identity/read-mails.ts';
import type { Circumstances } from '../messages/index.ts';
import type { PasswordTag } from './passwords/password-hasher.ts';
import { vault } from './registry-for-test.ts';

export interface MailForTest {
  readonly kind: string;
  readonly language: string;
  readonly to: string;
  /** '' for an email without one. */
  readonly code: string;
  readonly freezeToken: string;
}

/** Returns the emails to an address, oldest first, without suppressed ones. */
export async function mailsTo(statements: Statements, email: string): Promise<MailForTest[]> {
  const mails = await readMails(statements, vault, { to: email });
  return mails.map(({ kind, language, to, values }) => {
    const { code = '', freezeToken = '' } = values;
    return { kind, language, to, code, freezeToken };
  });
}

export function somewhere(user: UserId | undefined): Circumstances {
  const freezeToken = user === undefined ? '' : `freeze ${user}`;
  return {
    time: '2026-11-15T12:00:00.000Z',
    ip: '192.0.2.1',
    country: 'CH',
    device: 'test',
    freezeToken,
  };
}

/** Stand-in for a password tag; hashing a thousand real ones would take a minute. */
export function passwordFor(text: string): PasswordTag {
  const tag = Buffer.alloc(32);
  tag.write(text);
  return { salt: Buffer.alloc(16, 1), memory: 19_456, passes: 2, lanes: 1, tag };
}
