// Generates the command reference; a test compares it.

import { apiHelp, routeOf } from './api-command.ts';
import { API_COMMANDS, LOCAL_COMMANDS, TOOLS } from './commands.ts';

export const COMMAND_PAGE = 'docs/operating/command-line.md';

const TEST = '`tools/cli/cli.slow.test.ts`';

export function commandPage(): string {
  const local = Object.entries(LOCAL_COMMANDS).map(
    ([name, { does, example = '' }]) =>
      `| \`rialto ${name}\` | ${does} | \`rialto ${`${name} ${example}`.trim()}\` | | ${TEST} |`,
  );
  const api = Object.entries(API_COMMANDS).map(([name, command]) => {
    const { method, path, permission } = routeOf(command);
    const [usage] = apiHelp(name);
    const shown = usage.replace(/^Usage: /, '').replace(' [OPTIONS]', '');
    const example = `rialto ${`${name} ${command.example ?? ''}`.trim()}`;
    const who = 'personOnly' in permission ? ', session' : '';
    const call = `\`${method} ${path}\`${who}`;
    return `| \`${shown}\` | ${command.does} | \`${example}\` | ${call} | ${TEST} |`;
  });
  const tools = Object.entries(TOOLS).flatMap(([name, { commands, does }]) => {
    const rows = Object.entries(commands).map(([command, text]) => [`${name} ${command}`, text]);
    return (rows.length === 0 ? [[name, does]] : rows).map(
      ([words, text]) => `| \`rialto ${words}\` | ${text} | ${testOf(words)} |`,
    );
  });
  return `${HEAD}
| Command | Effect | Example | Call | Test |
|---|---|---|---|---|
${[...local, ...api].join('\n')}

${TOOLS_HEAD}

| Command | Effect | Test |
|---|---|---|
${tools.join('\n')}
`;
}

const TOOL_TESTS: Readonly<Record<string, string>> = {
  key: '`platform/database/migrations/registry.slow.test.ts`',
  'key rotate': '`testing/identity/rotation-under-load.slow.test.ts`',
  operate: '`tools/operate/operate.slow.test.ts`',
  custody: '`tools/custody/ceremony.test.ts`',
  'custody open': '`features/custody/deposits/deposits.slow.test.ts`',
  migrate: '`testing/projections/rebuild.slow.test.ts`',
  replay: '`tools/replay/replay.test.ts`',
  books: '`testing/projections/statements.slow.test.ts`',
  proof: '`testing/proofs/liabilities.slow.test.ts`',
  audit: '`testing/proofs/liabilities.slow.test.ts`',
  backup: '`tools/backup/backup.slow.test.ts`',
  restore: '`tools/restore/restore.test.ts`',
  'restore run': '`tools/backup/backup.slow.test.ts`',
  'restore reconcile': '`tools/restore/reconcile.slow.test.ts`',
  'restore decide': '`tools/restore/reconcile.slow.test.ts`',
  upgrade: '`tools/upgrade/check-upgrade.test.ts`',
  'create-log': '`tools/create-log/create-log.slow.test.ts`',
  'move-log': '`tools/move-log/move-log.slow.test.ts`',
  mail: '`tools/command-line.slow.test.ts`',
  agents: '`tools/agents/facts.slow.test.ts`',
  services: '`tools/services/main.slow.test.ts`',
};

function testOf(words: string): string {
  const [tool, noun] = words.split(' ');
  return TOOL_TESTS[`${tool} ${noun}`] ?? TOOL_TESTS[tool];
}

const TOOLS_HEAD = `## On this machine

These commands use the database, the servers of this machine or files, with settings from the
environment. Run \`rialto COMMAND --help\` for their options. \`migrate\`, \`replay\` and
\`services\` are also npm scripts.`;

const HEAD = `# Command line

<!-- Written by npm run fix from tools/cli. Do not edit. -->

Run \`npm run rialto -- COMMAND\`, or \`rialto COMMAND\` if the package is installed. Commands call
the administrator's API. Only \`doctor\`, \`init\`, \`cert renew\` and the tools at the end use
the machine itself.

- **Profile.** \`~/.config/rialto/profile.json\`, or the file in \`RIALTO_PROFILE\`:
  \`{"url": "https://exchange.example.com", "keyFile": "/home/ada/rialto-key.json"}\`. The key file
  contains \`key\` and \`secret\` of an operator's API key.
- **Sessions.** Some actions require a login session. \`rialto login EMAIL\` reads the password and
  the second factor code from standard input without showing them. It saves the token next to the
  profile, readable only by you.
- **Options.** Run \`rialto COMMAND --help\` for a list. Secrets are read from files.
- **Confirmation.** Actions on funds, users and switches ask you to type a name. Switches first
  show the orders, users and funds they affect. Pass \`--yes\` in scripts to skip confirmation.
- **Progress.** A command that takes longer than a second shows a progress bar on a terminal, or
  prints a line every ten seconds elsewhere.
- **Output.** Commands print tables, or JSON with decimals as strings if you pass \`--json\`. Notes
  and errors go to standard error. Color is used only on a terminal, never with \`NO_COLOR\`.

| Exit code | Meaning |
|---|---|
| 0 | done |
| 1 | rejected or failed; \`status\`: immediate action required |
| 2 | invalid command line |
| 3 | outcome unknown: check before you retry |
| 69 | the exchange is unreachable |
| 70 | a bug |
| 75 | busy or unavailable: try again |
| 77 | not permitted |
| 78 | invalid configuration |
| 130 | interrupted |
`;
