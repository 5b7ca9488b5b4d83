// Previews emails with example values: `rialto mail preview`. Sends nothing and needs no servers.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  EXAMPLE_VALUES,
  MAIL_KINDS,
  type MailKind,
  type MailToRender,
  mailLanguages,
  type RenderedMail,
  renderMail,
} from '../../features/messages/index.ts';
import { EXIT_OK, runTool, UsageFault } from '../command-line.ts';

await runTool({
  usage: `Usage: rialto mail preview [OPTIONS]

Renders an email with sample values: prints its text, or writes text and HTML to files.

  --kind K        kind of email (default verify_email)
  --language L    language (default en)
  --all           every kind in every language; requires --folder
  --folder F      write KIND.LANGUAGE.txt and .html into this folder
  --html          print the HTML instead of the text
  --name N        name of the exchange (default Rialto)
  --url U         URL of the exchange (default https://exchange.example)
  --word W        recipient's anti-phishing phrase (default none)

Kinds: ${MAIL_KINDS.join(', ')}
Languages: ${mailLanguages().join(', ')}`,
  options: {
    kind: { type: 'string', default: 'verify_email' },
    language: { type: 'string', default: 'en' },
    all: { type: 'boolean', default: false },
    folder: { type: 'string' },
    html: { type: 'boolean', default: false },
    name: { type: 'string', default: 'Rialto' },
    url: { type: 'string', default: 'https://exchange.example' },
    word: { type: 'string', default: '' },
  },
  takesPositionals: true,
  run({ positionals: [command, ...others], values }) {
    if (command !== 'preview' || others.length > 0) {
      throw new UsageFault(`Unknown command '${command ?? ''}': expected preview.`);
    }
    const { all, folder } = values;
    if (all && folder === undefined) throw new UsageFault('--all requires --folder.');
    if (!URL.canParse(values.url))
      throw new UsageFault(`Invalid --url '${values.url}': expected a URL.`);
    const render = (kind: MailKind, language: string) =>
      renderMail(
        { kind, language, word: values.word, values: EXAMPLE_VALUES[kind] } as MailToRender,
        { exchange: values.name, webUrl: values.url },
      );
    const kinds = all ? MAIL_KINDS : [oneOf('kind', values.kind, MAIL_KINDS)];
    const languages = all ? mailLanguages() : [oneOf('language', values.language, mailLanguages())];
    if (folder === undefined) {
      const { html, subject, text } = render(kinds[0], languages[0]);
      console.log(values.html ? html : `Subject: ${subject}\n\n${text}`);
      return EXIT_OK;
    }
    for (const kind of kinds) {
      for (const language of languages)
        write(folder, `${kind}.${language}`, render(kind, language));
    }
    console.log(`${kinds.length * languages.length} mails written to ${resolve(folder)}`);
    return EXIT_OK;
  },
});

function oneOf<Word extends string>(option: string, found: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === found);
  if (word !== undefined) return word;
  throw new UsageFault(`Invalid --${option} '${found}': expected ${words.join(', ')}.`);
}

function write(folder: string, name: string, { html, subject, text }: RenderedMail): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.txt`), `Subject: ${subject}\n\n${text}`);
  writeFileSync(join(folder, `${name}.html`), html);
}
