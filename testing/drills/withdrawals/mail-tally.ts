// Emails that the SMTP server accepted, by subject matter. Amounts in the drill are unique, so
// amount and subject identify an email; copies of one email have one Message-ID.

import type { ReceivedMail } from '../../../services/notifier/smtp-for-test.ts';

export interface MailFaults {
  /** Expected, but never received. */
  readonly lostMails: number;
  /** Two emails with different IDs about the same thing, or more than one copy of an email. */
  readonly doubleMails: number;
  /** Emails that should not have been sent. */
  readonly wrongMails: number;
  /** Copies with the same ID, because a notifier was killed before it could record the first. */
  readonly repeatedMails: number;
}

export const MAILS = {
  held: 'Withdrawal accepted',
  completed: 'Withdrawal sent',
  ended: 'Withdrawal not completed',
} as const;
export type MailName = keyof typeof MAILS;

const CONFIRMATION = 'Confirm your withdrawal';

export class MailTally {
  /** Message-IDs in the order of arrival, by recipient, amount and subject. */
  readonly #ids = new Map<string, string[]>();
  /** Last code that each recipient received. */
  readonly #codes = new Map<string, string>();
  #waiters: (() => void)[] = [];

  add({ raw, to }: ReceivedMail): undefined {
    const code = /confirm#purpose=confirm_withdrawal&code=([0-9a-f-]{36})/.exec(plain(raw))?.[1];
    if (code !== undefined) this.#codes.set(to[0], code);
    const [subject, messageId] = [header(raw, 'Subject'), header(raw, 'Message-ID')];
    const [, amount = ''] = /^Amount: (\S+) BTC$/m.exec(raw) ?? [];
    const name = nameOf(to[0], amount, subject);
    this.#ids.set(name, [...(this.#ids.get(name) ?? []), messageId]);
    for (const done of this.#waiters.splice(0)) done();
  }

  /** Resolves when the next email has arrived, before its sender learns of it. */
  next(): Promise<void> {
    return new Promise((done) => this.#waiters.push(done));
  }

  codeOf(to: string): string | undefined {
    return this.#codes.get(to);
  }

  has(to: string, amount: string, mail: MailName): boolean {
    return this.#ids.has(nameOf(to, amount, MAILS[mail]));
  }

  /** Checks one recipient; `wanted` lists every email that they should have. */
  judge(to: string, wanted: readonly { amount: string; mail: MailName }[]): MailFaults {
    const names = new Set(wanted.map(({ amount, mail }) => nameOf(to, amount, MAILS[mail])));
    // A repeated request has its own confirmation.
    const own = [...this.#ids].filter(
      ([name]) => name.startsWith(`${to} `) && !name.endsWith(CONFIRMATION),
    );
    const isDouble = (ids: readonly string[]) => new Set(ids).size > 1 || ids.length > 2;
    return {
      lostMails: [...names].filter((name) => !this.#ids.has(name)).length,
      doubleMails: own.filter(([, ids]) => isDouble(ids)).length,
      wrongMails: own.filter(([name]) => !names.has(name)).length,
      repeatedMails: own.filter(([, ids]) => ids.length === 2 && !isDouble(ids)).length,
    };
  }
}

function nameOf(to: string, amount: string, subject: string): string {
  return `${to} ${amount} ${subject}`;
}

function header(raw: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1] ?? '';
}

/** Removes the line breaks and escapes of quoted-printable. */
function plain(raw: string): string {
  return raw
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
