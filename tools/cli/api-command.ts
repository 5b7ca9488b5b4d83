// Executes an API command: takes options from the route schema, shows the impact and asks for a
// typed name before dangerous actions, then prints a table or JSON.

import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Route, routes } from '../../protocol/index.ts';
import { UsageFault } from '../command-line.ts';
import { API_COMMANDS, type ApiCommand } from './commands.ts';
import { openApi, type Profile } from './profile.ts';
import { cellText, confirm, paint, rowsTable, type Terminal, withProgress } from './terminal.ts';

interface Field {
  readonly option: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
}

interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly FieldSchema[];
}

export function routeOf(command: ApiCommand): Route {
  return routes[command.route];
}

/** Returns the route's fields by name, except those that the command sets itself. */
export function fieldsOf(command: ApiCommand): ReadonlyMap<string, Field> {
  const { body, query } = routeOf(command);
  const { properties, required = [] } = (body ?? query) as unknown as {
    properties: Record<string, FieldSchema>;
    required?: readonly string[];
  };
  const names = Object.keys(properties).filter((name) => !(name in (command.fixed ?? {})));
  return new Map(
    names.map((name) => [
      name,
      {
        option: name.replaceAll('_', '-'),
        schema: properties[name],
        isRequired: required.includes(name) && properties[name].default === undefined,
      },
    ]),
  );
}

export async function runApiCommand(
  name: string,
  args: readonly string[],
  { profile, terminal }: { readonly profile: Profile; readonly terminal: Terminal },
): Promise<void> {
  const command = API_COMMANDS[name];
  const input = { ...readInput(name, command, args), ...command.fixed };
  const { permission } = routeOf(command);
  const api = openApi(profile, { inPerson: 'personOnly' in permission });
  const { danger, impact } = command;
  if (impact !== undefined && !terminal.isJson) {
    const { query } = routes[impact];
    const asked = Object.entries(input).filter(([field]) => field in query.properties);
    const touched = await openApi(profile, { inPerson: true }).call(
      impact,
      Object.fromEntries(asked),
    );
    terminal.note(paint(terminal, 'yellow', `Impact of rialto ${name}:`));
    for (const line of objectLines(touched as object)) terminal.note(`  ${line}`);
  }
  if (danger !== undefined) {
    const typed = cellText((input as Record<string, unknown>)[danger]);
    await confirm(terminal, `rialto ${name}`, typed);
  }
  const answer = await withProgress(
    terminal,
    `Waiting for ${profile.url}`,
    api.call(command.route, input),
  );
  show(terminal, command, answer);
}

function show(terminal: Terminal, { columns }: ApiCommand, answer: unknown): void {
  if (terminal.isJson) {
    terminal.print(JSON.stringify(answer, null, 2));
    return;
  }
  const { count, data } = (answer ?? {}) as { readonly data?: unknown; readonly count?: number };
  const rows = Array.isArray(answer) ? answer : Array.isArray(data) ? data : undefined;
  if (rows === undefined) {
    for (const line of objectLines((answer ?? {}) as object)) terminal.print(line);
    return;
  }
  if (rows.length === 0) terminal.note('No results.');
  const shown = columns ?? Object.keys(rows[0] ?? {});
  if (rows.length > 0) for (const line of rowsTable(rows, shown)) terminal.print(line);
  if (count !== undefined && count > rows.length) {
    terminal.note(`Showing ${rows.length} of ${count}. Use --page and --limit for more.`);
  }
}

function objectLines(object: object): readonly string[] {
  const entries = Object.entries(object);
  const width = Math.max(0, ...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${cellText(value)}`);
}

/** Throws UsageFault if a field is unknown, missing or has the wrong form. */
function readInput(name: string, command: ApiCommand, args: readonly string[]): object {
  const fields = fieldsOf(command);
  const options: ParseArgsOptionsConfig = {};
  for (const { option } of fields.values()) {
    options[isSecret(option) ? `${option}-file` : option] = { type: 'string' };
  }
  const { positionals, values } = parsed(args, options);
  const { words = [] } = command;
  if (positionals.length > words.length) {
    throw new UsageFault(`Unexpected argument '${positionals[words.length]}'.`);
  }
  const input: Record<string, unknown> = {};
  for (const [field, { isRequired, option, schema }] of fields) {
    const at = words.indexOf(field);
    const file = values[`${option}-file`];
    const given = positionals[at] ?? values[option];
    const text = file === undefined ? given : readFileSync(String(file), 'utf8').trim();
    if (text === undefined && isRequired) {
      const asked = at >= 0 ? field.toUpperCase() : `--${option}${isSecret(option) ? '-file' : ''}`;
      throw new UsageFault(`rialto ${name}: ${asked} is required.`);
    }
    if (text !== undefined) input[field] = fieldValue(option, String(text), schema);
  }
  return input;
}

/** Secrets are never arguments, because other users of the machine can see those. */
function isSecret(option: string): boolean {
  return option === 'password' || option === 'token';
}

function parsed(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (fault) {
    const [sentence] = (fault as Error).message.split('. ');
    throw new UsageFault(`${sentence.replace(/\.$/, '')}.`, { cause: fault });
  }
}

function fieldValue(option: string, text: string, schema: FieldSchema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const number = Number(text);
      if (text.trim() === '' || !Number.isFinite(number)) {
        throw new UsageFault(`Invalid --${option} '${text}': expected a number.`);
      }
      return number;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') {
        throw new UsageFault(`Invalid --${option} '${text}': expected true or false.`);
      }
      return text === 'true';
    case 'array':
      return text.split(',').map((item) => (/^\d+$/.test(item) ? Number(item) : item));
    case 'object':
      return JSON.parse(text);
    default:
      return text;
  }
}

/** Returns the `--help` lines of a command in the table. */
export function apiHelp(name: string): readonly string[] {
  const command = API_COMMANDS[name];
  const { permission, summary } = routeOf(command);
  const words = (command.words ?? []).map((word) => word.toUpperCase());
  const options = [...fieldsOf(command)].filter(([field]) => !command.words?.includes(field));
  const width = Math.max(...options.map(([, field]) => flagOf(field).length));
  return [
    `Usage: rialto ${[name, ...words].join(' ')} [OPTIONS]`,
    '',
    `Example: rialto ${name}${command.example === undefined ? '' : ` ${command.example}`}`,
    '',
    `${summary}.`,
    ...('personOnly' in permission ? ['Requires a login session: rialto login EMAIL.'] : []),
    ...(options.length === 0 ? [] : ['', 'Options:']),
    ...options.map(([, field]) => {
      const about = `${field.isRequired ? '(required) ' : ''}${field.schema.description ?? ''}`;
      return `  ${flagOf(field).padEnd(width)}  ${about}`.trimEnd();
    }),
  ];
}

function flagOf({ option }: Field): string {
  return `--${option}${isSecret(option) ? '-file FILE' : ''}`;
}
