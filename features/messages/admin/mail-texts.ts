// Operator-defined email texts. They contain no links and only known placeholders. Everything else
// that an email needs (code, button, warning) stays as released. They need approval from another
// operator, because users trust these emails.

import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { MAIL_KINDS, type MailKind } from '../mail/mail-kinds.ts';
import { mailLanguages, mailTexts, type OwnMailTexts } from '../mail/mail-texts.ts';
import { linesOfHtml } from './mail-html.ts';

export interface MailTextRow extends OwnMailTexts {
  readonly kind: string;
  readonly language: string;
  /** Whether the operator wrote it. */
  readonly isOwn: boolean;
}

interface NewMailText extends JsonObject {
  readonly kind: string;
  readonly language: string;
  /** Both empty to restore the released text. */
  readonly title: string;
  readonly html: string;
}

const PLACEHOLDERS = ['{exchange}', '{host}'];
const PLACEHOLDER = /\{[^}]*\}?/g;
/** Text that mail programs turn into a link: with a protocol, or a host name. */
const LINK = /:\/\/|www\.|\b[\p{L}\p{N}-]{2,}\.\p{L}{2,}\b/iu;
const SUBJECT_CHARACTERS_MAX = 150;
const PARAGRAPHS_MAX = 20;
const PARAGRAPH_CHARACTERS_MAX = 1_000;

/** Returns undefined for an unknown kind or language. */
export async function readMailText(
  statements: Statements,
  { kind, language }: { readonly kind: string; readonly language: string },
): Promise<MailTextRow | undefined> {
  if (!isMailKind(kind) || !mailLanguages().includes(language)) return undefined;
  const { rows } = await statements.query(
    'select subject, paragraphs from mail_texts where kind = $1 and language = $2',
    [kind, language],
  );
  const { paragraphs, subject } = rows[0] ?? mailTexts(language, kind).kind;
  return { kind, language, subject, paragraphs, isOwn: rows.length > 0 };
}

export const changeMailText = defineAct({
  name: 'mail.change_text',
  votePower: 'approve.config',

  async prepare({ connection }: ActContext, given: NewMailText) {
    const { kind, language } = given;
    const before = await readMailText(connection, given);
    if (before === undefined) return refused('No email has this type and language');
    const texts = textsOf(given);
    if (texts instanceof Refused) return texts;
    const { paragraphs, subject } = before;
    return {
      object: `mail ${kind} ${language}`,
      objectVersion: JSON.stringify([subject, paragraphs]),
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Mail', value: `${kind}, ${language}` },
        ...(texts === undefined
          ? [{ label: 'Text', value: 'default text' }]
          : [
              { label: 'Subject', value: texts.subject },
              ...texts.paragraphs.map((value) => ({ label: 'Text', value })),
            ]),
      ],
      async run() {
        await writeText(connection, given, texts);
        return {
          result: { kind, language },
          before: { subject, paragraphs },
          after: texts === undefined ? null : { ...texts },
        };
      },
    };
  },
});

async function writeText(
  statements: Statements,
  { kind, language }: NewMailText,
  texts: OwnMailTexts | undefined,
): Promise<void> {
  if (texts === undefined) {
    const name = [kind, language];
    await statements.query('delete from mail_texts where kind = $1 and language = $2', name);
    return;
  }
  await statements.query(
    `insert into mail_texts (kind, language, subject, paragraphs) values ($1, $2, $3, $4)
     on conflict (kind, language) do update set subject = excluded.subject,
       paragraphs = excluded.paragraphs, updated_at = now()`,
    [kind, language, texts.subject, texts.paragraphs],
  );
}

/** Returns undefined for the released text. */
function textsOf({ html, title }: NewMailText): OwnMailTexts | Refused<'mail_refused'> | undefined {
  const subject = title.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const paragraphs = linesOfHtml(html);
  if (subject === '' && paragraphs.length === 0) return undefined;
  const isLong = paragraphs.some((line) => line.length > PARAGRAPH_CHARACTERS_MAX);
  if (subject === '' || subject.length > SUBJECT_CHARACTERS_MAX) {
    return refused(`The title must have 1 to ${SUBJECT_CHARACTERS_MAX} characters`);
  }
  if (paragraphs.length === 0 || paragraphs.length > PARAGRAPHS_MAX || isLong) {
    return refused(
      `The text must have 1 to ${PARAGRAPHS_MAX} paragraphs of ${PARAGRAPH_CHARACTERS_MAX} ` +
        'characters at most',
    );
  }
  for (const line of [subject, ...paragraphs]) {
    const unknown = line.match(PLACEHOLDER)?.find((one) => !PLACEHOLDERS.includes(one));
    if (unknown !== undefined) {
      return refused(
        `Unknown placeholder ${unknown.slice(0, 40)}: use ${PLACEHOLDERS.join(' or ')}`,
      );
    }
    if (LINK.test(line)) return refused('The text must not contain links or host names');
  }
  return { subject, paragraphs };
}

function refused(detail: string): Refused<'mail_refused'> {
  return new Refused('mail_refused', { detail });
}

function isMailKind(text: string): text is MailKind {
  return (MAIL_KINDS as readonly string[]).includes(text);
}
