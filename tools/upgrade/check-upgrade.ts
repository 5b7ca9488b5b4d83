// `rialto upgrade check`: previews what a new release will change. It must change nothing itself.

import type { Migration } from '../../infra/postgres/index.ts';
import type { Finding } from '../cli/finding.ts';
import { counted } from '../text-table.ts';
import { type ReleaseFacts, SCREENS } from './release-facts.ts';

export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
}

/** The exchange as run by the old release. */
export interface ExchangeFacts {
  readonly registry: readonly AppliedMigration[];
  readonly projection: readonly AppliedMigration[];
  /** Result of continuing the archived log from the newest snapshot with the new release. */
  readonly log:
    | { readonly frame: number; readonly snapshot: number | undefined; readonly rules: number }
    /** Why it could not continue. */
    | { readonly fault: string };
  /** Settings that the new release refuses, by service. */
  readonly refusedSettings: Readonly<Record<string, readonly string[]>>;
}

export function checkUpgrade(
  before: ReleaseFacts,
  after: ReleaseFacts,
  exchange: ExchangeFacts,
): readonly Finding[] {
  const pending = [
    ...pendingOf(exchange.registry, after.registryMigrations),
    ...pendingOf(exchange.projection, after.projectionMigrations),
  ];
  return [
    releases(before, after),
    migrations('registry', exchange.registry, after.registryMigrations),
    migrations('projection', exchange.projection, after.projectionMigrations),
    layouts(before, after),
    ...logFindings(after, exchange),
    ...settings(exchange),
    screens(after),
    downgrade(before, after, pending),
  ];
}

function releases({ version: from }: ReleaseFacts, { version: to }: ReleaseFacts): Finding {
  const [fromMajor, fromMinor] = from.split('.').map(Number);
  const [toMajor, toMinor] = to.split('.').map(Number);
  const isStep = toMajor === fromMajor && toMinor - fromMinor <= 1 && toMinor >= fromMinor;
  return {
    check: 'release',
    state: isStep ? 'good' : 'bad',
    detail: `${from} to ${to}${isStep ? '' : '; upgrade one minor release at a time'}`,
  };
}

function pendingOf(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): readonly Migration[] {
  return known.slice(applied.length);
}

function migrations(
  schema: string,
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): Finding {
  const check = `${schema} migrations`;
  const foreign = applied.find(({ checksum }, at) => known[at]?.checksum !== checksum);
  if (foreign !== undefined) {
    const detail = `the database has a migration ${foreign.number} that this release does not have`;
    return {
      check,
      state: 'bad',
      detail: `${detail}; the database is newer or belongs to another branch`,
    };
  }
  const pending = pendingOf(applied, known);
  if (pending.length === 0) return { check, state: 'good', detail: 'none pending' };
  return {
    check,
    state: 'warning',
    detail: `${counted(pending.length, 'migration')} will be applied by rialto migrate`,
    more: pending.map(({ name, number }) => `${String(number).padStart(4, '0')} ${name}`),
  };
}

function layouts(before: ReleaseFacts, after: ReleaseFacts): Finding {
  const check = 'log layouts';
  const [from, to] = [before.schemaVersion, after.schemaVersion];
  if (to < from) {
    const detail = `version ${from} to ${to}: the new release cannot read the log`;
    return { check, state: 'bad', detail };
  }
  if (to === from) return { check, state: 'good', detail: `version ${to} in both releases` };
  const detail = `version ${from} to ${to}: upgrade every reader before the sequencers`;
  return { check, state: 'warning', detail };
}

function logFindings(after: ReleaseFacts, { log }: ExchangeFacts): readonly Finding[] {
  if ('fault' in log) {
    const detail = `this release cannot continue the archived log: ${log.fault}`;
    return [{ check: 'snapshot and log', state: 'bad', detail }];
  }
  const { frame, rules, snapshot } = log;
  const start = snapshot === undefined ? 'the first frame' : `snapshot ${snapshot}`;
  const { rulesVersionMax: max, rulesVersionMin: min } = after;
  const isRunnable = rules >= min && rules <= max;
  const next = rules < max ? `; SetRulesVersion ${max} enables the new rules` : '';
  return [
    {
      check: 'snapshot and log',
      state: 'good',
      detail: `${start} is readable and continues to frame ${frame}`,
    },
    {
      check: 'rules',
      state: isRunnable ? 'good' : 'bad',
      detail: `version ${rules} is in effect, this release supports ${min} to ${max}${next}`,
    },
  ];
}

function settings({ refusedSettings }: ExchangeFacts): readonly Finding[] {
  return Object.entries(refusedSettings).map(([service, more]) => ({
    check: `${service} settings`,
    state: more.length === 0 ? 'good' : 'bad',
    detail: more.length === 0 ? 'complete' : counted(more.length, 'invalid setting'),
    ...(more.length === 0 ? {} : { more }),
  }));
}

/** A gateway whose settings name a missing app's folder responds with 503 there. */
function screens({ screens: found }: ReleaseFacts): Finding {
  const missing = SCREENS.filter((app) => !found.includes(app));
  if (missing.length === 0) return { check: 'web apps', state: 'good', detail: found.join(', ') };
  const detail = `this release has no built ${missing.join(' and no built ')}; unpack it again`;
  return { check: 'web apps', state: 'bad', detail };
}

function downgrade(
  before: ReleaseFacts,
  after: ReleaseFacts,
  pending: readonly Migration[],
): Finding {
  const check = 'downgrade';
  const reasons = [
    ...(pending.length > 0 ? ['the old release rejects the migrated schemas'] : []),
    ...(after.schemaVersion > before.schemaVersion
      ? ['the old release cannot read frames from the new one']
      : []),
  ];
  if (reasons.length === 0) {
    const until = after.rulesVersionMax > before.rulesVersionMax ? 'until the rules change' : '';
    return { check, state: 'good', detail: `possible ${until}`.trim() };
  }
  const detail = 'not possible after the upgrade; create a backup first';
  return { check, state: 'warning', detail, more: reasons };
}
