// Renders an email as text and HTML. The HTML works without images, without scripts, and in dark
// mode. Styles are inline because some mail programs drop <style>, which only adds dark mode.

import { Html, html } from './html.ts';
import {
  type MailContent,
  type MailLink,
  type MailSettings,
  type MailToRender,
  mailContent,
} from './mail-content.ts';
import { DARK_STYLE, STYLES } from './mail-styles.ts';

export interface RenderedMail {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(mail: MailToRender, settings: MailSettings): RenderedMail {
  const content = mailContent(mail, settings);
  return { subject: content.subject, text: mailText(content), html: mailHtml(content) };
}

const RULE = '-'.repeat(40);

function mailText(content: MailContent): string {
  const { button, code, details, footer, ignore, message, paragraphs, subject } = content;
  const { warning, word } = content;
  const blocks: (string | undefined)[] = [
    word && `${word.label}: ${word.word}`,
    subject,
    ...paragraphs,
    code && `${code.hint}\n\n    ${code.code}`,
    code?.life,
    button && `${button.label}:\n${button.url}`,
    button?.life,
    ignore,
    message.map((line) => `> ${line}`).join('\n'),
    details.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    warning && `${warning.title}\n${warning.text}\n${warning.freeze.label}:\n${warning.freeze.url}`,
    [RULE, content.exchange, ...footer].join('\n'),
  ];
  return `${blocks.filter((block) => block !== undefined && block !== '').join('\n\n')}\n`;
}

function mailHtml(content: MailContent): string {
  const { direction, exchange, footer, language, paragraphs, subject } = content;
  const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${subject}</title>
<style>${new Html(DARK_STYLE)}</style>
</head>
<body class="page" style="${STYLES.page}">
<div style="${STYLES.preview}">${paragraphs[0]}</div>
<table ${new Html(table)} class="page" style="${STYLES.page}">
<tr><td align="center" style="${STYLES.margin}">
<table ${new Html(table)} dir="${direction}" style="${STYLES.column}">
<tr><td class="ink" style="${STYLES.exchange}">${exchange}</td></tr>
<tr><td class="card" style="${STYLES.card}">
${bodyBlocks(content)}
</td></tr>
<tr><td class="soft" style="${STYLES.footer}">${footer.map((line) => html`${line}<br>`)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.source;
}

function bodyBlocks(content: MailContent): (Html | undefined)[] {
  const { button, code, ignore, message, paragraphs, subject, warning, word } = content;
  return [
    word && wordBlock(word),
    html`<h1 class="ink" style="${STYLES.heading}">${subject}</h1>`,
    ...paragraphs.map(paragraph),
    code && codeBlock(code),
    button && buttonBlock(button),
    ignore === undefined ? undefined : note(ignore),
    message.length === 0 ? undefined : messageBlock(message),
    detailsBlock(content),
    warning && warningBlock(warning),
  ];
}

function paragraph(text: string): Html {
  return html`<p class="ink" style="${STYLES.paragraph}">${text}</p>`;
}

function note(text: string): Html {
  return html`<p class="soft" style="${STYLES.note}">${text}</p>`;
}

function wordBlock({ hint, label, word }: NonNullable<MailContent['word']>): Html {
  return html`<p class="panel soft" style="${STYLES.word}">
${label}: <strong class="ink" style="${STYLES.ink}"><bdi>${word}</bdi></strong><br>${hint}</p>`;
}

function codeBlock({ code, hint, life }: NonNullable<MailContent['code']>): Html {
  const style = code.length > LONG_CODE ? STYLES.longCode : STYLES.code;
  return html`${paragraph(hint)}
<div class="panel ink" dir="ltr" style="${style}">${code}</div>
${life === '' ? undefined : note(life)}`;
}

/** A longer code gets smaller letters to fit on one line on a phone. */
const LONG_CODE = 10;

function buttonBlock({ copy, label, life, url }: NonNullable<MailContent['button']>): Html {
  const button = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr><td class="button" style="${STYLES.button}">
${anchor({ label, url }, { classes: 'on-button', style: STYLES.onButton })}
</td></tr></table>
<div style="${STYLES.gap}"></div>`;
  if (life === '') return button;
  return html`${button}
${note(`${life} ${copy}`)}
<p class="soft" dir="ltr" style="${STYLES.url}">${url}</p>`;
}

function messageBlock(message: MailContent['message']): Html {
  const lines = message.map((line) => html`<bdi>${line}</bdi><br>`);
  return html`<blockquote class="panel ink" style="${STYLES.message}">${lines}</blockquote>`;
}

function detailsBlock({ details, detailsTitle }: MailContent): Html | undefined {
  if (details.length === 0) return undefined;
  const rows = details.map(
    ({ label, value }) => html`<tr>
<th scope="row" class="soft" style="${STYLES.label}">${label}</th>
<td class="ink" style="${STYLES.value}"><bdi>${value}</bdi></td>
</tr>`,
  );
  return html`<div class="line" style="${STYLES.line}"></div>
<table aria-label="${detailsTitle}" cellpadding="0" cellspacing="0" border="0">
${rows}
</table>`;
}

function warningBlock({ freeze, text, title }: NonNullable<MailContent['warning']>): Html {
  return html`<div class="warning" style="${STYLES.warning}">
<p class="alarm" style="${STYLES.warningTitle}">${title}</p>
<p class="ink" style="${STYLES.warningText}">${text}</p>
${anchor(freeze, { classes: 'alarm', style: STYLES.freeze })}
</div>`;
}

function anchor(
  { label, url }: MailLink,
  { classes, style }: { readonly classes: string; readonly style: string },
): Html {
  return html`<a href="${url}" class="${classes}" style="${style}">${label}</a>`;
}
