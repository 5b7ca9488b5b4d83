// Mails that operators send: known mails to one user, and their own text to listed addresses. Text
// and addresses are sealed in requests and absent from the audit.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { findUser, isEmailAddress, normalEmail, type UserRow } from '../../accounts/index.ts';
import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
  type Executed,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { enqueueMail } from '../mail/mail-outbox.ts';
import { type CoinNetworks, knownMail, type MailData } from './known-mails.ts';
import { linesOfHtml } from './mail-html.ts';
import { approvalsForReceivers } from './raw-mail-sums.ts';

interface SentMail extends JsonObject {
  readonly user: number;
  readonly type: string;
  readonly data: JsonObject;
}

interface RawMail extends JsonObject {
  /** '' for the default one. */
  readonly title: string;
  readonly message: string;
  /** Their addresses. */
  readonly receivers: readonly string[];
}

export interface RawMailContent {
  readonly receivers: readonly string[];
  readonly title: string;
  readonly html: string;
  readonly text: string;
}

const RAW_MAIL = 'mail.send_raw';
export const RAW_RECEIVERS_MAX = 5_000;
const TITLE_CHARACTERS_MAX = 150;
const MESSAGE_CHARACTERS_MAX = 20_000;

export const sendKnownMail = defineActInTwoSteps({
  name: 'mail.send',
  votePower: 'approve.access',
  personal: ['data'],

  async assess({ connection }: ActContext, { type, user }: SentMail): Promise<Assessment> {
    await requireUser(connection, user);
    const shown = [{ label: 'Mail', value: type }];
    return { object: `user ${user}`, objectVersion: '', approvals: 0, beneficiaries: [], shown };
  },

  async execute(context: ActContext, sent: SentMail): Promise<Executed<JsonObject>> {
    const { connection, nowMs, vault } = context;
    const { email, id, settings } = await requireUser(connection, sent.user);
    const coins = await readCoinNetworks(connection);
    const mail = knownMail(sent.type, sent.data as MailData, { coins, nowMs });
    if ('refused' in mail) throw new ActRefused('mail_refused', { detail: mail.refused });
    const language = typeof settings.language === 'string' ? settings.language : 'en';
    await enqueueMail(connection, vault, { user: id, to: email, language, ...mail });
    return {
      result: {},
      subject: id,
      after: { type: sent.type, kind: mail.kind },
      personal: { data: sent.data },
    };
  },
});

export const sendRawMail = defineActInTwoSteps({
  name: RAW_MAIL,
  votePower: 'approve.access',
  personal: ['title', 'message', 'receivers'],

  async assess(context: ActContext, mail: RawMail): Promise<Assessment> {
    const { connection, operator, vault } = context;
    if (!operator.powers.has('mail.raw')) {
      throw new ActRefused('power_missing', { power: 'mail.raw' });
    }
    const { message, receivers, title } = mail;
    const { length: count } = receivers;
    const needed = await approvalsForReceivers(context, { act: RAW_MAIL, receivers: count });
    const shown = [
      { label: 'Receivers', value: `${count}` },
      { label: 'Addresses', value: receivers.join(', '), isPersonal: true },
      { label: 'Subject', value: title, isPersonal: true },
      { label: 'Text', value: message, isPersonal: true },
    ] as const;
    const object = `mail ${macOf(vault, mail).slice(0, 16)}`;
    const subjects = await usersOf(connection, receivers);
    return { object, objectVersion: '', approvals: needed, beneficiaries: [], subjects, shown };
  },

  async execute({ connection, vault }: ActContext, mail: RawMail): Promise<Executed<JsonObject>> {
    const { message, receivers, title } = mail;
    for (const to of receivers) {
      const values = { title, message };
      const own = { user: null, to, language: 'en', kind: 'operator_message', values } as const;
      await enqueueMail(connection, vault, own);
    }
    return { result: {}, after: { receivers: receivers.length, mac: macOf(vault, mail) } };
  },
});

/** The payload of `sendRawMail`. Throws ActRefused. */
export function rawMail(content: RawMailContent): RawMail {
  const receivers = [...new Set(content.receivers.map(normalEmail))];
  if (receivers.length === 0 || receivers.length > RAW_RECEIVERS_MAX) {
    throw refused(`Give 1 to ${RAW_RECEIVERS_MAX} receivers`);
  }
  if (!receivers.every(isEmailAddress)) throw refused('A receiver is not an e-mail address');
  const title = content.title.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (title.length > TITLE_CHARACTERS_MAX) {
    throw refused(`The title must have at most ${TITLE_CHARACTERS_MAX} characters`);
  }
  const message = linesOfHtml(content.html).join('\n') || content.text.trim();
  if (message === '' || message.length > MESSAGE_CHARACTERS_MAX) {
    throw refused(`The text must have 1 to ${MESSAGE_CHARACTERS_MAX} characters`);
  }
  return { title, message, receivers };
}

async function usersOf(statements: Statements, emails: readonly string[]): Promise<UserId[]> {
  const { rows } = await statements.query(
    'select id from users where email = any($1) order by id',
    [emails],
  );
  return rows.map(({ id }) => idOf<UserId>(id));
}

/** Recognises a mail that an investigation has found; tells nothing without the key. */
function macOf(vault: Vault, { message, receivers, title }: RawMail): string {
  return vault.mac('raw mail', JSON.stringify([title, message, receivers])).toString('hex');
}

async function readCoinNetworks(statements: Statements): Promise<CoinNetworks> {
  const { rows } = await statements.query(
    `select symbol, coalesce(string_to_array(network, ','), '{}') as networks from coins`,
  );
  return new Map(rows.map(({ networks, symbol }) => [symbol, networks]));
}

async function requireUser(statements: Statements, id: number): Promise<UserRow> {
  const user = await findUser(statements, id as UserId);
  if (user === undefined || user.state === 'erased') throw new ActRefused('user_not_found');
  return user;
}

function refused(detail: string): ActRefused {
  return new ActRefused('mail_refused', { detail });
}
