// Content of an email before its layout: texts for its kind and language, with values that are safe
// to show. Links lead only to the configured host, whatever the request or the values were.

import { type AnyValues, detailsOf } from './mail-details.ts';
import type { MailKind, MailValues } from './mail-kinds.ts';
import { type CommonTexts, mailTexts, type OwnMailTexts } from './mail-texts.ts';
import { linesWithoutLinks, oneLine, withoutLinks } from './safe-text.ts';

export interface MailSettings {
  readonly exchange: string;
  /** URL that every link begins with: RIALTO_WEB_URL, else RIALTO_PUBLIC_URL. */
  readonly webUrl: string;
}

export interface MailToRender<Kind extends MailKind = MailKind> {
  readonly kind: Kind;
  readonly language: string;
  readonly values: MailValues[Kind];
  /** The recipient's anti-phishing word; '' if none is set. */
  readonly word: string;
  /** The operator's own texts for this kind and language. */
  readonly ownTexts?: OwnMailTexts | undefined;
}

export interface MailLink {
  readonly label: string;
  readonly url: string;
}

export interface MailContent {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly exchange: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A code to type in. */
  readonly code?: { readonly hint: string; readonly code: string; readonly life: string };
  /** The lifetime is '' if the link does not expire. */
  readonly button?: MailLink & { readonly copy: string; readonly life: string };
  /** Lines written by a person. */
  readonly message: readonly string[];
  readonly detailsTitle: string;
  readonly details: readonly { readonly label: string; readonly value: string }[];
  /** Advice for a recipient who did not cause the email. */
  readonly warning?: { readonly title: string; readonly text: string; readonly freeze: MailLink };
  /** For emails that can be ignored. */
  readonly ignore?: string;
  readonly word?: { readonly label: string; readonly word: string; readonly hint: string };
  readonly footer: readonly string[];
}

const RIGHT_TO_LEFT = new Set(['fa', 'ur']);

export function mailContent(mail: MailToRender, settings: MailSettings): MailContent {
  const { kind, word } = mail;
  const { exchange, webUrl } = settings;
  const texts = mailTexts(mail.language, kind, { isOwn: mail.ownTexts !== undefined });
  const { language } = texts;
  const fill = (text: string) =>
    fillIn(text, { exchange: oneLine(exchange), host: hostOf(webUrl) });
  const common = Object.fromEntries(
    Object.entries(texts.common).map(([key, text]) => [key, fill(text)]),
  ) as CommonTexts;
  const own = { ...texts.kind, ...mail.ownTexts };
  const values: AnyValues = mail.values;
  const title = values.title ?? '';
  const link = linkOf(kind, values, webUrl);
  const isTyped = values.code !== undefined && values.form !== 'v2';
  const freezes = values.freezeToken !== undefined && values.freezeToken !== '';
  return {
    language,
    direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr',
    exchange: oneLine(exchange),
    subject: title === '' ? oneLine(fill(own.subject)) : withoutLinks(title),
    paragraphs: own.paragraphs.map(fill),
    ...(isTyped && { code: codeOf(kind, values, common) }),
    ...(own.button !== '' &&
      link !== undefined && {
        button: {
          label: fill(own.button),
          url: link,
          copy: common.link_copy,
          life: values.form === 'v2' ? common.link_life : '',
        },
      }),
    message: linesWithoutLinks(values.message ?? ''),
    detailsTitle: common.details,
    details: detailsOf(values, { common, isDeposit: kind.startsWith('deposit_'), language }),
    ...(freezes && {
      warning: {
        title: common.not_you,
        text: common.not_you_text,
        freeze: {
          label: common.freeze,
          url: confirmUrl(webUrl, 'freeze', values.freezeToken ?? ''),
        },
      },
    }),
    ...(!freezes && values.form !== undefined && { ignore: common.ignore }),
    ...(word !== '' && {
      word: { label: common.word, word: withoutLinks(word), hint: common.word_hint },
    }),
    footer: footerOf(kind, common),
  };
}

const KINDS_ABOUT_MONEY: readonly MailKind[] = [
  'withdrawal_held',
  'withdrawal_completed',
  'withdrawal_ended',
  'deposit_pending',
  'deposit_completed',
  'deposit_ended',
];

/** Recipients need not have an account. */
const KINDS_FOR_STRANGERS: readonly MailKind[] = [
  'invitation',
  'support_message',
  'operator_message',
];

function footerOf(kind: MailKind, common: CommonTexts): string[] {
  if (KINDS_FOR_STRANGERS.includes(kind)) return [];
  const why = KINDS_ABOUT_MONEY.includes(kind) ? common.footer_money : common.footer;
  return [why, common.footer_links];
}

/** Returns the page that an email link opens. Browsers do not send the part after the #. */
export function confirmUrl(webUrl: string, purpose: string, code: string): string {
  return `${withoutSlash(webUrl)}/confirm#purpose=${purpose}&code=${encodeURIComponent(code)}`;
}

function linkOf(kind: MailKind, values: AnyValues, webUrl: string): string | undefined {
  const purpose = PURPOSES[kind];
  if (purpose === undefined) return withoutSlash(webUrl);
  return values.form === 'v2' ? confirmUrl(webUrl, purpose, values.code ?? '') : undefined;
}

/** Purpose of the code in each kind, as named by features/auth. */
const PURPOSES: Partial<Record<MailKind, string>> = {
  verify_email: 'verify_email',
  reset_password: 'reset_password',
  change_password: 'change_password',
  confirm_action: 'confirm_action',
  confirm_withdrawal: 'confirm_withdrawal',
  suspicious_login: 'confirm_login',
  email_change_old: 'email_change_old',
  email_change_new: 'email_change_new',
};

function codeOf(kind: MailKind, { code = '' }: AnyValues, common: CommonTexts) {
  const isInvitation = kind === 'invitation';
  return {
    hint: isInvitation ? common.invitation_code : common.code_hint,
    code: oneLine(code),
    life: isInvitation ? '' : common.code_life,
  };
}

function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z_]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function hostOf(url: string): string {
  return new URL(url).host;
}
