// Tests that every kind of email is complete in English and in one language each, and that hostile
// values cannot change an email.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MailSettings, MailToRender } from './mail-content.ts';
import { EXAMPLE_VALUES, MAIL_KINDS, type MailKind, type MailValues } from './mail-kinds.ts';
import { mailLanguages, mailTextFile, mailTexts } from './mail-texts.ts';
import { renderMail } from './render-mail.ts';

const SETTINGS: MailSettings = { exchange: 'Rialto', webUrl: 'https://exchange.example/' };
const PLACEHOLDER = /\{[a-z_]+\}/g;
const LANGUAGES = mailLanguages();

function example<Kind extends MailKind>(
  kind: Kind,
  changes: Partial<MailValues[Kind]> = {},
  more: Partial<Pick<MailToRender, 'language' | 'word'>> = {},
) {
  const values = { ...EXAMPLE_VALUES[kind], ...changes };
  return renderMail({ kind, language: 'en', word: '', ...more, values }, SETTINGS);
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url.replaceAll('&amp;', '&'));
}

describe('each language', () => {
  for (const language of LANGUAGES) {
    test(`${language}: every kind can be sent`, () => {
      for (const kind of MAIL_KINDS) {
        const { html, subject, text } = example(kind, {}, { language, word: 'lantern' });
        for (const part of [html, subject, text]) {
          assert.doesNotMatch(part, PLACEHOLDER, `${language} ${kind}`);
          assert.doesNotMatch(part, /\bundefined\b|\bnull\b|\[object/, `${language} ${kind}`);
        }
        assert.match(subject, /^[^\r\n]{3,100}$/, `${language} ${kind}`);
        assert.ok(html.includes('lantern') && text.includes('lantern'), `${language} ${kind}`);
      }
    });

    test(`${language}: keys and placeholders match English, emails are complete`, () => {
      const file = flatten(mailTextFile(language));
      const english = flatten(mailTextFile('en'));
      for (const [key, text] of file) {
        const base = english.get(key);
        assert.ok(base !== undefined, `${key} is not a text of en.json`);
        assert.notEqual(text.trim(), '', key);
        const of = (one: string) => (one.match(PLACEHOLDER) ?? []).sort();
        assert.deepEqual(of(text), of(base), key);
      }
      const kinds = mailTextFile(language).kinds ?? {};
      const partial = [...english.keys()].filter(
        (key) => kinds[key.split('.')[2]] !== undefined && !file.has(key),
      );
      assert.deepEqual(partial, [], `${language}.json has parts of an email`);
    });
  }

  test('English has every kind', () => {
    const { kinds = {} } = mailTextFile('en');
    assert.deepEqual(Object.keys(kinds).sort(), [...MAIL_KINDS].sort());
  });

  test('an untranslated kind is English, with all other texts of the email', () => {
    const english = mailTexts('en', 'new_kind');
    assert.deepEqual(mailTexts('fa', 'new_kind'), english);
    assert.notDeepEqual(mailTexts('fa', 'welcome').common, english.common);
  });

  test("an operator's text keeps its language where the kind has no translation", () => {
    const { common, language } = mailTexts('fa', 'new_kind', { isOwn: true });
    assert.deepEqual([language, common], ['fa', mailTexts('fa', 'welcome').common]);
  });

  test('an unknown language falls back to English', () => {
    assert.deepEqual(example('welcome', {}, { language: 'xx' }), example('welcome'));
    assert.deepEqual(example('welcome', {}, { language: '../../x' }), example('welcome'));
  });
});

test('a link email opens the confirm page; the code is not in the query', () => {
  const { html, text } = example('verify_email', { form: 'v2', code: 'a b' });
  const url = 'https://exchange.example/confirm#purpose=verify_email&code=a%20b';
  assert.deepEqual(linksOf(html), [url]);
  assert.ok(text.includes(url));
});

test('a typed code has no link, except the one that freezes the account', () => {
  const values = { form: 'v4', code: '123456', freezeToken: 'f' } as const;
  const { html, text } = example('reset_password', values);
  assert.deepEqual(linksOf(html), ['https://exchange.example/confirm#purpose=freeze&code=f']);
  assert.match(html, />123456</);
  assert.match(text, /^ {4}123456$/m);
});

test('no email text has a number as a value, so none needs plural forms', () => {
  const places = JSON.stringify(mailTextFile('en')).matchAll(/\{(\w+)/g);
  assert.deepEqual([...new Set([...places].map(([, name]) => name))].sort(), ['exchange', 'host']);
});

test('an email without a freeze token states that it can be ignored', () => {
  const { text } = example('verify_email', { freezeToken: '' });
  assert.match(text, /you can ignore this email/);
  assert.doesNotMatch(text, /Freeze/);
});

test('times and countries are shown in the language of the email', () => {
  const { text } = example('new_device');
  assert.match(text, /^Time: November 15, 2026 at 19:36 UTC$/m);
  assert.match(text, /^Country: Portugal$/m);
});

test('a withdrawal shows the amount and the destination', () => {
  const { text } = example('withdrawal_completed');
  assert.match(text, /^Amount: 0.25 BTC\nFee: 0.0001 BTC\nNetwork: btc\nDestination: bc1q\S+$/m);
  assert.match(text, /^Transaction ID: 4a5e1e4b\S+$/m);
  assert.doesNotMatch(text, /Freeze/, 'nothing stops it any more');
  assert.match(example('withdrawal_held').text, /Freeze my account/);
});

test('a deposit shows its address; a zero fee has no row', () => {
  const { text } = example('deposit_completed', { currency: 'usdt', fee: '0' });
  assert.match(text, /^Amount: 1500 USDT\nNetwork: trx\nDeposit address: TJRab\S+$/m);
  assert.doesNotMatch(text, /^Fee:/m);
});

test('a transfer by email shows the unmodified address', () => {
  const sent = { network: 'email', address: 'friend@example.com' };
  assert.match(example('confirm_withdrawal', sent).text, /^Destination: friend@example.com$/m);
});

test('every end of a withdrawal has its reason', () => {
  const rows = [
    ['canceled', 'Canceled by you'],
    ['dismissed', 'Closed by Rialto'],
    ['rejected', 'Rejected by Rialto'],
    ['expired', 'Not confirmed or approved in time'],
    ['refused', 'Could not be processed'],
  ] as const;
  for (const [end, reason] of rows) {
    assert.match(example('withdrawal_ended', { end }).text, new RegExp(`^Reason: ${reason}$`, 'm'));
  }
});

test('the lines of a support message are quoted', () => {
  const message = 'First\r\nsecond.\n\n--\nBcc: x\u2028https://evil.example/a <b>';
  const { html, text } = example('support_message', { message });
  assert.match(
    text,
    /^> First\n> second.\n> \n> --\n> Bcc: x\n> https\[:\]\/\/evil\[.\]example\/a <b>$/m,
  );
  assert.ok(html.includes('<bdi>https[:]//evil[.]example/a &lt;b&gt;</bdi>'));
});

test('the anti-phishing word is the first line', () => {
  assert.match(example('new_device', {}, { word: 'lantern' }).text, /^Your [^\n]*: lantern\n/);
  assert.doesNotMatch(example('new_device').text, /anti-phishing/);
});

describe('abuse 52: hostile values in emails', () => {
  const rows: [string, given: string, shown: string][] = [
    ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['an attribute', `" onload='x'`, '&quot; onload=&#39;x&#39;'],
    ['an entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['a header', 'a\r\nBcc: victim@example.com', 'a Bcc: victim@example[.]com'],
    ['other line breaks', 'a\u2028b\u0085c\u0000d', 'a b c d'],
    ['direction marks', 'pay\u202egnp.exe\u2066\u200f', 'paygnp[.]exe'],
    ['a link', 'visit https://evil.example/x', 'visit https[:]//evil[.]example/x'],
    ['a host', 'www.evil.example', 'www[.]evil[.]example'],
    ['a placeholder', '{exchange}', '{exchange}'],
    ['a replacement pattern', '$& $1', '$&amp; $1'],
    ['half a surrogate pair', 'a\ud800', 'a\ufffd'],
    ['a version number', 'Firefox 150.0.1', 'Firefox 150.0.1'],
    ['a Persian name', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['a long text', 'x'.repeat(5_000), `${'x'.repeat(199)}…`],
  ];
  for (const [name, given, shown] of rows) {
    test(name, () => {
      const hostile = example('api_key_created', { name: given, device: given }, { word: given });
      assert.ok(hostile.html.includes(`<bdi>${shown}</bdi>`));
      const plain = example('api_key_created', {}, { word: 'x' });
      const tagsOf = (html: string) => html.match(/<[^>]*>/g);
      assert.deepEqual(tagsOf(hostile.html), tagsOf(plain.html), 'the same markup');
      assert.equal(hostile.subject, plain.subject);
      const linesOf = (text: string) => text.split(/[\r\n\u0085\u2028\u2029]/).length;
      assert.equal(linesOf(hostile.text), linesOf(plain.text), 'the same lines');
    });
  }

  test('no value adds a link or changes a link target', () => {
    const values = { code: '"><a href="https://evil.example">', form: 'v2' } as const;
    const freezeToken = '@evil.example/#';
    const { html } = example('change_password', { ...values, freezeToken, ip: 'evil.example' });
    const links = linksOf(html);
    assert.equal(links.length, 2);
    for (const link of links) assert.equal(new URL(link).origin, 'https://exchange.example');
  });

  test('the name of the exchange cannot break a header', () => {
    const mail = { kind: 'welcome', language: 'en', word: '', values: EXAMPLE_VALUES.welcome };
    const settings = { exchange: 'A\r\nBcc: x', webUrl: SETTINGS.webUrl };
    const { subject } = renderMail(mail as MailToRender, settings);
    assert.equal(subject, 'Welcome to A Bcc: x');
  });
});

function flatten(file: unknown, prefix = ''): Map<string, string> {
  if (typeof file === 'string') return new Map([[prefix, file]]);
  const entries = Object.entries(file as Record<string, unknown>);
  return new Map(entries.flatMap(([key, value]) => [...flatten(value, `${prefix}.${key}`)]));
}
