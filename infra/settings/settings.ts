// The table of all settings of the exchange, and the configuration of each service that follows
// from it. A file with the settings of all services is fine for each of them; a name that no
// program knows is not.

import { randomBytes } from 'node:crypto';
import { readConfig, type Setting } from '../process/index.ts';
import { agentSettings } from './agent-settings.ts';
import { custodySettings } from './custody-settings.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { logSettings } from './log-settings.ts';
import type { Program, ServiceName, SettingDescription } from './setting.ts';
import { sharedSettings } from './shared-settings.ts';

export const SETTINGS = {
  ...sharedSettings,
  ...logSettings,
  ...gatewaySettings,
  ...custodySettings,
  ...agentSettings,
};

type Table = typeof SETTINGS;
export type SettingKey = keyof Table;

/** A row, without its type of values: for documents. */
export type DescribedSetting = Setting<unknown> & SettingDescription;

type ValueFor<Row, User> =
  Row extends Setting<infer Value>
    ? Row extends { readonly optionalFor: readonly (infer Other)[] }
      ? User extends Other
        ? Value | undefined
        : Value
      : Value
    : never;

/** The settings of a program, by their keys. */
export type ConfigFor<User extends Program> = {
  readonly [Key in SettingKey as User extends Table[Key]['usedBy'][number] ? Key : never]: ValueFor<
    Table[Key],
    User
  >;
};

export type ServiceConfig<Service extends ServiceName> = Omit<ConfigFor<Service>, 'instance'> & {
  readonly instance: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

const RANDOM_BYTES = 4;
const DEFAULT_SUFFIX = /^-[0-9a-f]{8}$/;

/** Throws one ConfigFault with all problems. */
export function readServiceConfig<const Service extends ServiceName>(
  service: Service,
  environment: Environment,
): ServiceConfig<Service> {
  const config = readConfig(environment, rowsOf(service), {
    known: KNOWN_NAMES,
    isProduction: environment.RIALTO_MODE !== 'development',
  }) as { readonly instance?: string };
  // In containers every process has the number 1, so the default name is random.
  const instance = config.instance ?? `${service}-${randomBytes(RANDOM_BYTES).toString('hex')}`;
  return { ...config, instance } as unknown as ServiceConfig<Service>;
}

/** The operator gave the instance no name: the next process will have another one. */
export function isDefaultInstance({ instance, service }: InstanceOfService): boolean {
  const suffix = instance.slice(service.length);
  return instance.startsWith(service) && DEFAULT_SUFFIX.test(suffix);
}

interface InstanceOfService {
  readonly service: string;
  readonly instance: string;
}

/** Settings that a tool reads. Tools ignore all other variables. */
export function readToolConfig<const Key extends keyof ConfigFor<'tools'>>(
  environment: Environment,
  keys: readonly Key[],
): Pick<ConfigFor<'tools'>, Key> {
  const rows = Object.fromEntries(keys.map((key) => [key, forProgram(SETTINGS[key], 'tools')]));
  return readConfig(environment, rows, { known: 'any' }) as Pick<ConfigFor<'tools'>, Key>;
}

/** Every row of the table, in its order. */
export function allSettings(): readonly (readonly [key: string, row: DescribedSetting])[] {
  return Object.entries(SETTINGS);
}

const KNOWN_NAMES = allSettings().flatMap(([, { isSecret, name }]) =>
  isSecret === true ? [name, `${name}_FILE`] : [name],
);

function rowsOf(service: ServiceName): Record<string, Setting<unknown>> {
  const rows = allSettings().filter(([, row]) => row.usedBy.includes(service));
  return Object.fromEntries(rows.map(([key, row]) => [key, forProgram(row, service)]));
}

function forProgram(row: DescribedSetting, program: Program): Setting<unknown> {
  const isOptional = row.optionalFor?.includes(program) === true;
  return isOptional ? { ...row, fallback: { value: undefined } } : row;
}
