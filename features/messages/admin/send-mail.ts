// Emails sent by operators: known emails to one user, and their own text to listed addresses. Text
// and addresses are sealed in requests and absent from the audit log.

import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser, isEmailAddress, normalEmail } from '../../accounts/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { enqueueMail } from '../mail/mail-outbox.ts';
import { type CoinNetworks, knownMail, type MailData } from './known-mails.ts';
import { linesOfHtml } from './mail-html.ts';

interface SentMail extends JsonObject {
  readonly user: number;
  readonly type: string;
  readonly data: JsonObject;
}

interface RawMail extends JsonObject {
  /** '' for the default title. */
  readonly title: string;
  readonly message: string;
  /** Email addresses. */
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

export const sendKnownMail = defineAct({
  name: 'mail.send',
  votePower: 'approve.access',
  personal: ['data'],

  async prepare({ connection, nowMs, vault }: ActContext, { data, type, user }: SentMail) {
    const found = await findUser(connection, user as UserId);
    if (found === undefined || found.state === 'erased') return new Refused('user_not_found');
    const { email, id, settings } = found;
    const coins = await readCoinNetworks(connection);
    const mail = knownMail(type, data as MailData, { coins, nowMs });
    if (mail instanceof Refused) return mail;
    const language = typeof settings.language === 'string' ? settings.language : 'en';
    return {
      object: `user ${user}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'Mail', value: type }],
      async run() {
        await enqueueMail(connection, vault, { user: id, to: email, language, ...mail });
        const after = { type, kind: mail.kind };
        return { result: {}, subject: id, after, personal: { data } };
      },
    };
  },
});

export const sendRawMail = defineAct({
  name: RAW_MAIL,
  votePower: 'approve.access',
  personal: ['title', 'message', 'receivers'],

  async prepare(context: ActContext, mail: RawMail) {
    const { connection, operator, vault } = context;
    if (!operator.powers.has('mail.raw'))
      return new Refused('power_missing', { power: 'mail.raw' });
    const { message, receivers, title } = mail;
    const { length: count } = receivers;
    const mac = macOf(vault, mail);
    return {
      object: `mail ${mac.slice(0, 16)}`,
      objectVersion: '',
      approvals: await approvalsForReceivers(context, { act: RAW_MAIL, receivers: count }),
      beneficiaries: [],
      subjects: await usersOf(connection, receivers),
      shown: [
        { label: 'Receivers', value: `${count}` },
        { label: 'Addresses', value: receivers.join(', '), isPersonal: true },
        { label: 'Subject', value: title, isPersonal: true },
        { label: 'Text', value: message, isPersonal: true },
      ],
      async run() {
        for (const to of receivers) {
          const values = { title, message };
          const own = { user: null, to, language: 'en', kind: 'operator_message', values } as const;
          await enqueueMail(connection, vault, own);
        }
        return { result: {}, after: { receivers: count, mac } };
      },
    };
  },
});

/** Returns the payload of `sendRawMail`. */
export function rawMail(content: RawMailContent): RawMail | Refused<'mail_refused'> {
  const receivers = [...new Set(content.receivers.map(normalEmail))];
  if (receivers.length === 0 || receivers.length > RAW_RECEIVERS_MAX) {
    return refused(`Provide 1 to ${RAW_RECEIVERS_MAX} receivers`);
  }
  if (!receivers.every(isEmailAddress)) return refused('A receiver is not a valid email address');
  const title = content.title.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (title.length > TITLE_CHARACTERS_MAX) {
    return refused(`The title must have at most ${TITLE_CHARACTERS_MAX} characters`);
  }
  const message = content.text.trim() || linesOfHtml(content.html).join('\n');
  if (message === '' || message.length > MESSAGE_CHARACTERS_MAX) {
    return refused(`The text must have 1 to ${MESSAGE_CHARACTERS_MAX} characters`);
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

/** Identifies an email found in an investigation; reveals nothing without the key. */
function macOf(vault: Vault, { message, receivers, title }: RawMail): string {
  return vault.mac('raw mail', JSON.stringify([title, message, receivers])).toString('hex');
}

async function readCoinNetworks(statements: Statements): Promise<CoinNetworks> {
  const { rows } = await statements.query(
    `select symbol, coalesce(string_to_array(network, ','), '{}') as networks from coins`,
  );
  return new Map(rows.map(({ networks, symbol }) => [symbol, networks]));
}

function refused(detail: string): Refused<'mail_refused'> {
  return new Refused('mail_refused', { detail });
}

const ONE_APPROVAL_ABOVE = 10;
const TWO_APPROVALS_ABOVE = 1_000;

/**
 * Returns the approvals for an operator's own text, by its recipients plus those of such emails by
 * all operators within 24 hours. Recipients that enough operators approved are not counted again.
 */
async function approvalsForReceivers(
  { connection, nowMs }: Pick<ActContext, 'connection' | 'nowMs'>,
  { act, receivers }: { readonly act: string; readonly receivers: number },
): Promise<0 | 1 | 2> {
  const { rows } = await connection.query(
    `with sent as (
       select (e.after ->> 'receivers')::bigint as receivers, coalesce(a.needed, 0) as approvals
       from audit_entries e left join approval_requests a on a.id = e.approval_id
       where e.act = $1 and e.at > to_timestamp($2 / 1000.0) - interval '24 hours'
     )
     select coalesce(sum(receivers) filter (where approvals < 1), 0) as unapproved,
       coalesce(sum(receivers) filter (where approvals < 2), 0) as not_twice
     from sent`,
    [act, nowMs],
  );
  const [{ not_twice, unapproved }] = rows;
  if (Number(not_twice) + receivers > TWO_APPROVALS_ABOVE) return 2;
  return Number(unapproved) + receivers > ONE_APPROVAL_ABOVE ? 1 : 0;
}
