// The page of all commands, for operators: generated, and held by a test.

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
    const who = 'personOnly' in permission ? ', in person' : '';
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
  migrate: '`testing/projections/rebuild.slow.test.ts`',
  replay: '`tools/replay/replay.test.ts`',
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

These work on the database, on the servers of this machine or on files, with the settings of the
environment. \`rialto COMMAND --help\` lists their options. \`migrate\`, \`replay\` and
\`services\` are npm scripts too.`;

const HEAD = `# The command line

<!-- Written by npm run fix from tools/cli. Do not edit. -->

\`npm run rialto -- COMMAND\`, or \`rialto COMMAND\` where the package is installed. It calls the
administrator's API; only \`doctor\`, \`init\` and the tools at the end touch a machine.

- **Profile.** \`~/.config/rialto/profile.json\`, or the file that \`RIALTO_PROFILE\` names:
  \`{"url": "https://exchange.example.com", "keyFile": "/home/ada/rialto-key.json"}\`. The key file
  has \`key\` and \`secret\` of an operator's API key.
- **In person.** Some acts need a login session: \`rialto login EMAIL\` reads the password and the
  code from standard input, shows neither, and keeps the token beside the profile, readable by
  you alone.
- **Options** follow from the call: \`rialto COMMAND --help\` lists them. Secrets come from files.
- **Danger.** Acts on money, people and switches ask for a name to be typed; switches show first
  the orders, users and money that they touch. \`--yes\` skips the question, for scripts.
- **Progress.** Work over a second shows a bar on a terminal, and a line every ten seconds
  elsewhere.
- **Output.** Tables for people; \`--json\` for scripts, with decimals as strings. Notes and errors
  go to standard error. Colour only on a terminal, and never with \`NO_COLOR\`.

| Exit code | Meaning |
|---|---|
| 0 | done |
| 1 | refused, or not sound; \`status\`: somebody must act now |
| 2 | the command line is wrong |
| 3 | outcome unknown: look before you repeat it |
| 69 | the exchange cannot be reached |
| 70 | a bug |
| 75 | busy or unavailable: try again |
| 77 | not permitted |
| 78 | the configuration is wrong |
| 130 | interrupted |
`;
