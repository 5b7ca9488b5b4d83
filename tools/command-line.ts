// Command line of every tool: `--help` prints the usage before anything else happens, and a user's
// mistake or an unreachable server prints one sentence. Stack traces are for bugs only.

import { connect } from 'node:net';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import {
  computesRight,
  EXIT_WRONG_RUNTIME,
  WRONG_RUNTIME,
} from '../infra/process/check-runtime.ts';
import { ConfigFault } from '../infra/process/config.ts';
import { describeFault } from '../infra/process/describe-fault.ts';

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
/** The command line or the configuration is wrong. */
export const EXIT_USAGE = 2;

/** Settings of a tool that uses the database. */
export const DATABASE_KEYS = [
  'mode',
  'exchange',
  'natsUrls',
  'postgresUrl',
  'postgresCaFile',
  'postgresCertFile',
  'postgresKeyFile',
  'postgresSchema',
  'registrySchema',
  'rolePrefix',
  'postgresStatementTimeoutMs',
  'accessKeyFile',
  'accessKey',
] as const;

/**
 * Returns the environment as services read it. The profile belongs to the command line and is not a
 * setting.
 */
export function serviceEnvironment(): Readonly<Record<string, string | undefined>> {
  const { RIALTO_PROFILE: _, ...settings } = process.env;
  return settings;
}

/** The command line is wrong. The message is one sentence. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

/** The tool cannot execute the request. The message is one sentence that states what to do. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/**
 * Returns the table entry that the first word names; `others` are words that it does not accept.
 */
export function chosenCommand<Command>(
  commands: Readonly<Record<string, Command>>,
  name: string | undefined,
  others: readonly string[],
): Command {
  if (name === undefined) throw new UsageFault('A command is required.');
  if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
  if (!Object.hasOwn(commands, name)) throw new UsageFault(`Unknown command '${name}'.`);
  return commands[name];
}

type ParsedArguments<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

interface Tool<Options extends ParseArgsOptionsConfig> {
  /** Starts with `Usage: `. */
  readonly usage: string;
  readonly options?: Options;
  /** Without them, every argument must be an option. */
  readonly takesPositionals?: boolean;
  /** Returns the exit code, or a promise of it. Without one, `process.exitCode` is unchanged. */
  run(parsed: ParsedArguments<Options>): unknown;
}

/** Runs a main.ts tool with the process's arguments, and sets the exit code. */
export async function runTool<const Options extends ParseArgsOptionsConfig = Record<never, never>>(
  tool: Tool<Options>,
): Promise<void> {
  answerHelp(tool.usage);
  if (!computesRight()) {
    console.error(WRONG_RUNTIME);
    process.exitCode = EXIT_WRONG_RUNTIME;
    return;
  }
  try {
    const exitCode = await tool.run(parse(tool));
    // Drills set the exit code of the process themselves.
    if (typeof exitCode === 'number') process.exitCode = exitCode;
  } catch (fault) {
    process.exitCode = reportFault(fault, tool.usage);
  }
}

/** Handles `--help` for a program that only another program starts. */
export function startedBy(starter: string): void {
  answerHelp(`Usage: started by ${starter}. Do not run it directly.`);
}

/** Prints the usage and exits with 0 if the arguments contain `--help`. */
function answerHelp(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(usage);
  process.exit(EXIT_OK);
}

/** Prints one sentence for an expected fault and returns its exit code. Rethrows a bug. */
function reportFault(fault: unknown, usage: string): number {
  if (fault instanceof UsageFault) {
    const [firstLine] = usage.split('\n');
    console.error(`${fault.message}\n${firstLine}\nRun with --help for details.`);
    return EXIT_USAGE;
  }
  if (fault instanceof ConfigFault) {
    console.error(fault.message);
    return EXIT_USAGE;
  }
  if (fault instanceof Error && 'isConfiguration' in fault) {
    console.error(`Invalid configuration: ${fault.message}`);
    return EXIT_USAGE;
  }
  const sentence = explainFault(fault);
  if (sentence === undefined) throw fault;
  console.error(sentence);
  return EXIT_FAILED;
}

/** Returns one sentence for a fault in the machine or a server, or undefined for a bug. */
export function explainFault(fault: unknown): string | undefined {
  if (!(fault instanceof Error)) return undefined;
  if (fault instanceof ToolFault || fault.name === 'BackupFault') return describeFault(fault);
  // Detected by name, because importing the driver here would slow down every tool.
  if (fault.name === 'SchemaFault') return `${sentenceOf(fault)} Run \`npm run migrate\` first.`;
  const code = errorCode(fault);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return (
      `Cannot connect to PostgreSQL: ${describeFault(fault)}. ` +
      'Start it with `npm run services -- start`, or fix RIALTO_POSTGRES_URL.'
    );
  }
  // The driver's errors, and its message for a connection closed by the server.
  if ('severity' in fault || /^Connection terminated/.test(fault.message)) {
    return `PostgreSQL: ${sentenceOf(fault)}`;
  }
  return code === undefined ? undefined : sentenceOf(fault);
}

function sentenceOf(fault: Error): string {
  const text = describeFault(fault);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns Node's system error code, even if it tried several addresses. */
function errorCode(fault: Error): string | undefined {
  if ('syscall' in fault && 'code' in fault) return String(fault.code);
  if (!(fault instanceof AggregateError)) return undefined;
  const [first] = fault.errors;
  return first instanceof Error ? errorCode(first) : undefined;
}

function parse<Options extends ParseArgsOptionsConfig>({
  options,
  takesPositionals = false,
}: Tool<Options>): ParsedArguments<Options> {
  try {
    const parsed = parseArgs({ options: options ?? ({} as Options), allowPositionals: true });
    const [unexpected] = takesPositionals ? [] : parsed.positionals;
    if (unexpected !== undefined) throw new UsageFault(`Unexpected argument '${unexpected}'.`);
    return parsed;
  } catch (fault) {
    if (fault instanceof UsageFault || !(fault instanceof Error)) throw fault;
    // The rest of Node's message explains its own syntax.
    const [sentence] = fault.message.split('. ');
    throw new UsageFault(`${sentence.replace(/\.$/, '')}.`, { cause: fault });
  }
}

/** Returns the value as a whole number, or throws a UsageFault. */
export function wholeNumber(
  name: string,
  value: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw new UsageFault(`Invalid --${name} '${value}': expected a whole number, ${range}.`);
}

const DIAL_TIMEOUT_MS = 2_000;

/**
 * Throws a ToolFault if no server in the list accepts a connection, because NATS clients never give
 * up.
 */
export async function assertNatsReachable(urls: readonly string[]): Promise<void> {
  const dials = await Promise.all(urls.map(canDial));
  if (dials.includes(true)) return;
  throw new ToolFault(
    `Cannot connect to NATS at ${urls.map((url) => addressOf(url).host).join(', ')}. ` +
      'Start it with `npm run services -- start`, or fix RIALTO_NATS_URLS.',
  );
}

function canDial(url: string): Promise<boolean> {
  const { hostname, port } = addressOf(url);
  return new Promise((done) => {
    const socket = connect({ host: hostname, port: Number(port || 4222) });
    const finish = (isConnected: boolean) => {
      socket.destroy();
      done(isConnected);
    };
    socket.setTimeout(DIAL_TIMEOUT_MS, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

function addressOf(url: string): URL {
  return new URL(url.includes('://') ? url : `nats://${url}`);
}
