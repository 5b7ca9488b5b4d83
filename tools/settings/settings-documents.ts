// Settings documents: a reference page, and a file to copy. Both are derived from the table in
// infra/settings.

import { Secret } from '../../infra/process/index.ts';
import { allSettings, type DescribedSetting } from '../../infra/settings/index.ts';

export const SETTINGS_PAGE = 'docs/operating/settings.md';
export const SETTINGS_FILE = 'docs/operating/rialto.env';

const TITLES: Readonly<Record<string, string>> = {
  mode: 'Every process',
  natsUrls: 'NATS and identities',
  postgresUrl: 'PostgreSQL',
  accessKeyFile: 'The key file',
  publicUrl: 'Shared by several services',
  linkListenHost: 'Sequencer',
  segmentEveryMs: 'Archivist',
  lagMsMax: 'Projector',
  feedEveryMs: 'Publisher',
  perChannelMax: 'Outbox dispatcher',
  reconcileEveryMs: 'Reconciler and monitor',
  trustedProxies: 'Both gateways',
  modules: 'HTTP gateway',
  addressBurst: 'Rate limits',
  blockedCountries: 'Logins and captchas',
  streamHost: 'Stream gateway',
  webUrl: 'Notifier',
};

interface Section {
  readonly title: string;
  readonly rows: DescribedSetting[];
}

function sections(): readonly Section[] {
  const found: Section[] = [];
  for (const [key, row] of allSettings()) {
    const title = TITLES[key];
    if (title !== undefined) found.push({ title, rows: [] });
    found.at(-1)!.rows.push(row);
  }
  return found;
}

/** Returns the default as written in the environment; undefined if there is none. */
export function defaultText({ fallback }: DescribedSetting): string | undefined {
  const value = fallback?.value;
  if (value === undefined || value instanceof Secret) return undefined;
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text === '' ? undefined : text;
}

export function exampleOf(row: DescribedSetting): string {
  const text = row.example ?? defaultText(row);
  if (text === undefined) throw new Error(`${row.name} has neither an example nor a default`);
  return text;
}

function shownDefault(row: DescribedSetting): string {
  if (row.requiredInProduction === true) {
    const text = defaultText(row);
    return text === undefined ? 'required in production' : `\`${text}\`; required in production`;
  }
  if (row.defaultText !== undefined) return row.defaultText;
  const text = defaultText(row);
  if (text !== undefined) return `\`${text}\``;
  if (row.fallback !== undefined) return 'none';
  return row.optionalFor === undefined
    ? 'required'
    : `required; not by ${row.optionalFor.join(', ')}`;
}

function services({ usedBy }: DescribedSetting): string {
  const names = usedBy.filter((name) => name !== 'tools');
  if (names.length === 0) return 'tools';
  return names.length === 10 ? 'all' : names.join(', ');
}

function pageRow(row: DescribedSetting): string {
  const cells = [
    `\`${row.name}\`${row.isSecret === true ? ' (secret)' : ''}`,
    row.meaning,
    shownDefault(row),
    row.expected,
    row.unit ?? '',
    `\`${exampleOf(row)}\``,
    services(row),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export function settingsPage(): string {
  const parts = sections().map(({ rows, title }) =>
    [
      `## ${title}`,
      '',
      '| Setting | Meaning | Default | Expected | Unit | Example | Services |',
      '|---|---|---|---|---|---|---|',
      ...rows.map(pageRow),
    ].join('\n'),
  );
  return `${PAGE_HEAD}\n${parts.join('\n\n')}\n`;
}

const PAGE_HEAD = `# Settings

<!-- Written by npm run fix from infra/settings. Do not edit. -->

Every setting is an environment variable. [rialto.env](rialto.env) has all of them, commented out,
with the same explanations: copy it, and change what you need.

- **One file for all services.** A service ignores settings of other services. A name that no
  service knows is refused at start-up, with a suggestion.
- **One small file per process** for the settings that differ: \`RIALTO_INSTANCE\`,
  \`RIALTO_HEALTH_PORT\`, \`RIALTO_IDENTITY_KEY_FILE\`, \`RIALTO_POSTGRES_URL\`.
- **Secrets by file.** A setting that is marked *secret* may be set as \`NAME_FILE\` instead: the
  path of a file with the value.
- **Production refuses open doors**, one sentence each: answers for every web page
  (\`RIALTO_CORS_ORIGINS\` is \`*\`), a missing or unencrypted public URL, plain text between
  machines, random ports.
- A wrong, missing or unknown setting ends the process with code 78 before it connects to anything.
`;

const FILE_HEAD = `# Every setting of Rialto. Copy this file, then edit.
# Written by npm run fix from infra/settings.
#
# Lines that begin with "#RIALTO_" show the default, or an example where there is no default.
# A service ignores the settings of other services, so one file serves all of them.
# Settings that differ between processes (instance, health port, identity, database role) belong
# into a file of each.
# For a secret, NAME_FILE may name a file with the value. docs/operating/settings.md says more.
`;

export function settingsFile(): string {
  const parts = sections().map(({ rows, title }) =>
    [`# --- ${title} ---`, ...rows.map(fileRow)].join('\n\n'),
  );
  return `${FILE_HEAD}\n${parts.join('\n\n')}\n`;
}

function fileRow(row: DescribedSetting): string {
  const facts = [
    `Default: ${shownDefault(row).replaceAll('`', '')}.`,
    ...(row.unit === undefined ? [] : [`Unit: ${row.unit}.`]),
    `Services: ${services(row)}.`,
  ];
  const lines = [
    ...wrapped(row.meaning),
    ...wrapped(`Expected: ${row.expected}.`),
    facts.join(' '),
  ];
  const value = /[\s<>*#]/.test(exampleOf(row)) ? `"${exampleOf(row)}"` : exampleOf(row);
  return [...lines.map((line) => `# ${line}`), `#${row.name}=${value}`].join('\n');
}

const WIDTH = 96;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
