// Pages of the development inbox: a list of emails, and one email as HTML, text or source. An
// email's HTML is shown in a frame that must not run anything.

import { Html, html } from '../../features/messages/index.ts';
import type { OutgoingMail } from './mail-transport.ts';

export interface StoredMail extends OutgoingMail {
  readonly id: number;
  /** Time of arrival. */
  readonly at: Date;
  /** The complete message with its headers. */
  readonly raw: string;
}

interface PageOptions {
  readonly exchange: string;
  /** Allows the page's style sheet. */
  readonly nonce: string;
}

export function listPage(mails: readonly StoredMail[], options: PageOptions): string {
  const rows = mails.map(
    (mail) => html`<li><a href="/messages/${mail.id}">
<span class="to">${mail.to}</span>
<span class="subject">${mail.subject}</span>
<span class="code">${mail.code.length > SHORT_CODE ? '' : mail.code}</span>
<time datetime="${mail.at.toISOString()}">${timeText(mail.at)}</time>
</a></li>`,
  );
  const list =
    rows.length === 0
      ? html`<p class="empty">No email yet. Sign up, or request a new password.</p>`
      : html`<ul class="mails">${rows}</ul>`;
  return page(
    'Inbox',
    options,
    html`<p class="lead">Emails of this development exchange, newest
first. Nothing leaves this machine. <a href="/">Reload</a> · <a href="/messages.json">JSON</a></p>
${list}`,
  );
}

export function messagePage(mail: StoredMail, options: PageOptions): string {
  const { at, code, from, id, kind, language, subject, to } = mail;
  return page(
    subject,
    options,
    html`<p class="lead"><a href="/">← Inbox</a></p>
<h2>${subject}</h2>
<table class="head">
<tr><th>From</th><td>${from.name} &lt;${from.address}&gt;</td></tr>
<tr><th>To</th><td>${to}</td></tr>
<tr><th>Time</th><td>${at.toISOString()}</td></tr>
<tr><th>Kind</th><td>${kind}, ${language}</td></tr>
${code === '' ? undefined : html`<tr><th>Code</th><td><code>${code}</code></td></tr>`}
</table>
<p class="lead"><a href="/messages/${id}/html" target="_blank">HTML</a> ·
<a href="/messages/${id}/text">Text</a> · <a href="/messages/${id}/raw">Source</a></p>
<iframe title="Email" sandbox="allow-popups allow-popups-to-escape-sandbox"
 src="/messages/${id}/html"></iframe>
<h3>Text</h3>
<pre dir="auto">${mail.text}</pre>`,
  );
}

/** Codes in links are too long for the list. */
const SHORT_CODE = 24;

function page(title: string, { exchange, nonce }: PageOptions, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${exchange} inbox</title>
<style nonce="${nonce}">${new Html(STYLE)}</style>
</head>
<body>
<header><h1><a href="/">${exchange} inbox</a></h1></header>
<main>${body}</main>
</body>
</html>
`.source;
}

function timeText(at: Date): string {
  return at.toISOString().slice(11, 19);
}

const STYLE = `
:root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--line:#e5e7eb;--ink:#111827;
--soft:#5b6472;--link:#1d4ed8}
@media (prefers-color-scheme:dark){:root{--page:#0b0d11;--card:#15181e;--line:#2a2f38;
--ink:#f2f4f7;--soft:#a3acb9;--link:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:400 15px/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
header,main{max-width:880px;margin:0 auto;padding:20px 16px}
header{padding-bottom:0}
h1{margin:0;font-size:20px}
h1 a{color:inherit;text-decoration:none}
h2{margin:0 0 12px;font-size:22px;line-height:1.3;overflow-wrap:anywhere}
h3{margin:24px 0 8px;font-size:15px}
a{color:var(--link)}
.lead,.empty{color:var(--soft);margin:0 0 16px}
.empty{padding:48px 0;text-align:center}
.mails{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);
border-radius:12px;overflow:hidden}
.mails li+li{border-top:1px solid var(--line)}
.mails a{display:grid;grid-template-columns:minmax(0,220px) minmax(0,1fr) auto auto;gap:4px 16px;
padding:12px 16px;color:inherit;text-decoration:none}
.mails a:hover,.mails a:focus-visible{background:var(--page)}
.to,time{color:var(--soft)}
.to,.subject{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.subject{font-weight:600}
.code,code{font-family:ui-monospace,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
time{font-variant-numeric:tabular-nums}
.head{border-spacing:0;margin:0 0 16px}
.head th{text-align:start;font-weight:400;color:var(--soft);padding:2px 16px 2px 0;
vertical-align:top}
.head td{overflow-wrap:anywhere}
iframe{width:100%;height:1000px;border:1px solid var(--line);border-radius:12px;background:#fff}
@media (prefers-color-scheme:dark){iframe{background:#0b0d11}}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--card);
border:1px solid var(--line);border-radius:12px;padding:16px;margin:0;
font:400 14px/1.5 ui-monospace,Menlo,Consolas,monospace}
@media (max-width:560px){.mails a{grid-template-columns:minmax(0,1fr) auto}
.subject{grid-column:1;grid-row:1}.to{grid-column:1;grid-row:2}
.code{grid-column:1/-1;grid-row:3}.code:empty{display:none}
time{grid-column:2;grid-row:1;text-align:end}}
`;
