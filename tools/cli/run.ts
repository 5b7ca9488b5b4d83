// Executes a command line of `rialto` and returns its exit code. Codes: 0 done, 1 rejected or
// failed, 2 usage, 3 outcome unknown, 69 unreachable, 70 bug, 75 try again, 77 not permitted,
// 78 configuration, 130 interrupted.

import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { RialtoError } from '../../client/rialto-error.ts';
import { ConfigFault, readBuildInfo } from '../../infra/process/index.ts';
import { explainFault, ToolFault, UsageFault } from '../command-line.ts';
import { initMachines, parseMachines } from '../machines/init-machines.ts';
import { renewCertificates } from '../machines/renew-certificates.ts';
import { apiHelp, runApiCommand } from './api-command.ts';
import { API_COMMANDS, LOCAL_COMMANDS, TOOLS } from './commands.ts';
import { completionText } from './completion.ts';
import { showDoctor } from './doctor.ts';
import { openApi, type Profile, profileUrl, readProfile, writeSession } from './profile.ts';
import { showStatus } from './status.ts';
import { tail } from './tail.ts';
import { openTerminal, type Surroundings, type Terminal } from './terminal.ts';

const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;
const EXIT_UNKNOWN = 3;
const EXIT_UNREACHABLE = 69;
const EXIT_AGAIN = 75;
const EXIT_NOT_PERMITTED = 77;
const EXIT_CONFIGURATION = 78;

const MACHINE: Surroundings = {
  environment: process.env,
  print: (line) => console.log(line),
  note: (line) => console.error(line),
};

export async function runRialto(
  args: readonly string[],
  surroundings: Surroundings = MACHINE,
): Promise<number> {
  const rest = args.filter((word) => !['--json', '--yes'].includes(word));
  const asked = { json: args.includes('--json'), yes: args.includes('--yes') };
  const terminal = openTerminal(surroundings, asked);
  try {
    return await execute(rest, terminal);
  } catch (fault) {
    return report(fault, terminal);
  }
}

async function execute(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = '', second = ''] = args;
  const name = [`${first} ${second}`, first].find(
    (words) => words in API_COMMANDS || words in LOCAL_COMMANDS,
  );
  const asksHelp = args.includes('--help') || args.includes('-h');
  if (first === '' || (name === undefined && asksHelp && !(first in TOOLS))) {
    for (const line of overview(first)) terminal.print(line);
    return first === '' ? EXIT_USAGE : 0;
  }
  if (first in TOOLS) {
    process.argv = [process.argv[0], process.argv[1], ...args.slice(1)];
    await import(TOOLS[first].main);
    return Number(process.exitCode ?? 0);
  }
  if (name === undefined) {
    throw new UsageFault(`Unknown command '${args.slice(0, 2).join(' ')}'.`);
  }
  const own = args.slice(name.split(' ').length);
  if (asksHelp) {
    for (const line of name in API_COMMANDS ? apiHelp(name) : localHelp(name)) terminal.print(line);
    return 0;
  }
  if (name in LOCAL_COMMANDS) return runLocal(name, own, terminal);
  await runApiCommand(name, own, { profile: readProfile(terminal.environment), terminal });
  return 0;
}

async function runLocal(name: string, args: readonly string[], terminal: Terminal) {
  const { positionals, values } = parsedLocal(args);
  switch (name) {
    case 'status':
      return showStatus(openApi(readProfile(terminal.environment), { inPerson: false }), terminal);
    case 'doctor':
      return showDoctor(
        values.env ?? [],
        terminal.environment,
        terminal,
        profileUrl(terminal.environment),
      );
    case 'init':
      return runInit(positionals[0], values, terminal);
    case 'cert renew': {
      const [folder] = positionals;
      const { authority } = values;
      if (folder === undefined || authority === undefined) {
        throw new UsageFault('rialto cert renew: FOLDER and --authority FOLDER are required.');
      }
      for (const line of renewCertificates(folder, authority)) terminal.print(line);
      return 0;
    }
    case 'version':
      return showVersion(terminal);
    case 'completion':
      terminal.print(completionText(positionals[0] ?? 'bash'));
      return 0;
    case 'login':
      return logIn(readProfile(terminal.environment), positionals[0], terminal);
    default: {
      const api = openApi(readProfile(terminal.environment), { inPerson: false });
      const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
      await tail(name.slice('tail '.length), api, terminal, { symbol: values.symbol, rounds });
      return 0;
    }
  }
}

function runInit(
  folder: string | undefined,
  values: ReturnType<typeof parsedLocal>['values'],
  terminal: Terminal,
): number {
  if (folder === undefined) throw new UsageFault('rialto init: FOLDER is required.');
  const { 'admin-url': adminUrl, data, etc, operators, 'public-url': publicUrl = '' } = values;
  for (const [name, url] of Object.entries({ 'public-url': publicUrl, 'admin-url': adminUrl })) {
    if (url === undefined) continue;
    if (url.startsWith('https://') && URL.canParse(url)) continue;
    throw new UsageFault(`rialto init: --${name} must be an https:// URL.`);
  }
  const isAddress = (text: string) => isIP(text.split('/', 1)[0]) !== 0;
  if (operators !== undefined && !operators.split(',').every(isAddress)) {
    throw new UsageFault(
      'Invalid --operators: expected addresses, for example 10.0.0.0/8,192.0.2.7.',
    );
  }
  const machines = values.machines === undefined ? undefined : parseMachines(values.machines);
  if (values.machines !== undefined && machines === undefined) {
    throw new UsageFault(
      'Invalid --machines: expected three, for example m1=10.0.0.1,m2=10.0.0.2,m3=10.0.0.3.',
    );
  }
  const installed = etc ?? (machines === undefined ? undefined : '/etc/rialto');
  const files = initMachines({
    folder,
    publicUrl,
    adminUrl,
    operatorAddresses: operators?.split(','),
    ...(machines !== undefined && { machines }),
    ...(installed !== undefined && { etc: () => installed }),
    ...(data !== undefined && { data: () => data }),
  });
  for (const file of files) terminal.print(file);
  const isOne = machines === undefined;
  terminal.note(
    `Move ${folder}/offline off these machines: it contains the certificate authority's key.`,
  );
  terminal.note(
    isOne
      ? 'Next: set your mail server in smtp-url. See docs/operating/three-machines.md.'
      : `Next: copy each folder to ${installed} on its machine. ` +
          'See docs/operating/three-machines.md.',
  );
  terminal.note(
    'The exchange starts in solo mode. The first administrator chooses solo or team. See ' +
      'docs/operating/set-up.md.',
  );
  return 0;
}

function parsedLocal(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        env: { type: 'string', multiple: true },
        'public-url': { type: 'string' },
        'admin-url': { type: 'string' },
        operators: { type: 'string' },
        machines: { type: 'string' },
        etc: { type: 'string' },
        data: { type: 'string' },
        authority: { type: 'string' },
        symbol: { type: 'string' },
        rounds: { type: 'string' },
      },
    });
  } catch (fault) {
    const [sentence] = (fault as Error).message.split('. ');
    throw new UsageFault(`${sentence.replace(/\.$/, '')}.`, { cause: fault });
  }
}

function showVersion(terminal: Terminal): number {
  const build = readBuildInfo();
  const text = `rialto ${build.version} (commit ${build.commit}), Node ${process.versions.node}`;
  terminal.print(terminal.isJson ? JSON.stringify(build) : text);
  return 0;
}

/** The password and the code come from standard input, one line each, and are not shown. */
async function logIn(
  profile: Profile,
  email: string | undefined,
  terminal: Terminal,
): Promise<number> {
  if (email === undefined) throw new UsageFault('rialto login: EMAIL is required.');
  const given: string[] = [];
  terminal.note('Password:');
  for await (const line of terminal.lines) {
    given.push(line);
    if (given.length === 2) break;
    terminal.note('Second factor code (leave empty for none):');
  }
  const [password = '', code = ''] = given;
  const { token } = (await openApi({ ...profile, keyFile: undefined }, { inPerson: false }).call(
    'logIn',
    { email, password, ...(code.trim() === '' ? {} : { otp_code: code.trim() }) },
  )) as { readonly token: string };
  writeSession(profile, token);
  terminal.note(`Session saved to ${profile.sessionFile}.`);
  return 0;
}

function report(fault: unknown, { note }: Terminal): number {
  if (fault instanceof UsageFault) {
    note(`${fault.message}\nRun \`rialto --help\` for a list of commands.`);
    return EXIT_USAGE;
  }
  if (fault instanceof ConfigFault) {
    note(fault.message);
    return EXIT_CONFIGURATION;
  }
  if (fault instanceof RialtoError) {
    note(fault.message);
    if (fault.isOutcomeUnknown) note('It may have been executed. Check before you retry.');
    return exitCodeOf(fault);
  }
  const sentence = fault instanceof ToolFault ? fault.message : explainFault(fault);
  // A bug: its stack helps.
  if (sentence === undefined) throw fault;
  note(sentence);
  return EXIT_REFUSED;
}

export function exitCodeOf({ isOutcomeUnknown, status }: RialtoError): number {
  if (isOutcomeUnknown) return EXIT_UNKNOWN;
  if (status === 0) return EXIT_UNREACHABLE;
  if (status === 401 || status === 403) return EXIT_NOT_PERMITTED;
  return status === 429 || status >= 500 ? EXIT_AGAIN : EXIT_REFUSED;
}

function localHelp(name: string): readonly string[] {
  const { does, example = '' } = LOCAL_COMMANDS[name];
  const sentence = `${does[0].toUpperCase()}${does.slice(1)}.`;
  const shown = `rialto ${name} ${example}`.trim();
  return [`Usage: rialto ${name} [OPTIONS]`, '', sentence, '', `Example: ${shown}`];
}

function overview(noun: string): readonly string[] {
  const all = { ...LOCAL_COMMANDS, ...API_COMMANDS };
  const names = Object.keys(all).filter((name) => !(noun in TOOLS) && isOf(name, noun));
  const width = Math.max(...Object.keys(all).map((name) => name.length));
  const rows = (names.length > 0 ? names : Object.keys(all)).map(
    (name) => `  ${name.padEnd(width)}  ${all[name].does}`,
  );
  return [
    'Usage: rialto COMMAND [OPTIONS]',
    '',
    'Examples: rialto status',
    '          rialto tail trades',
    '          rialto switch stop trading --symbol btc-usdt',
    '',
    ...rows,
    '',
    'Tools for the database and files:',
    ...Object.entries(TOOLS).map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`),
    '',
    '  --json  output JSON, decimals as strings',
    '  --yes   skip confirmation',
    '',
    'Profile: ~/.config/rialto/profile.json, or the file in RIALTO_PROFILE, with',
    '{"url": "https://exchange.example.com", "keyFile": "FILE"}.',
    'All commands and exit codes: docs/operating/command-line.md.',
  ];
}

function isOf(name: string, noun: string): boolean {
  return noun.startsWith('-') || noun === '' || name === noun || name.startsWith(`${noun} `);
}
