// The restore drill: a backup is taken while clients trade and withdraw, then all servers are lost.
// From the backup alone, empty servers get the same state and tables. From the backup and a newer
// copy of the archive, the log is ahead of the registry, and every money command that the registry
// lacks is rebuilt and reported.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readBackupKey } from '../../../tools/backup/backup-key.ts';
import { storedBytes } from '../../../tools/backup/manifest.ts';
import { REGISTRY_SCHEMA } from '../../../tools/sandbox/sandbox-settings.ts';
import { registryChecksums } from './registry-checksums.ts';
import { RestoredExchange } from './restored-exchange.ts';
import { SourceExchange, secondsSince, type Taken, type Truth } from './source-exchange.ts';

interface Size {
  readonly orders: number;
  readonly snapshotEveryMs: number;
}

const QUICK: Size = { orders: 4_000, snapshotEveryMs: 2_000 };
const FULL: Size = { orders: 1_000_000, snapshotEveryMs: 30_000 };
/** Withdrawals requested before the registry is read, and sent to the engine afterwards. */
const IN_FLIGHT = 3;
/** Withdrawals requested after the backup. */
const LATER = 4;
const KEY_BYTES = 32;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-restore-drill-'));
  try {
    return await drill(folder, quick ? QUICK : FULL);
  } finally {
    if (process.env.RIALTO_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(`kept: ${folder}`);
  }
}

async function drill(folder: string, size: Size): Promise<Record<string, unknown>> {
  const keyFile = join(folder, 'backup-key');
  writeFileSync(keyFile, `${Buffer.alloc(KEY_BYTES, 'drill').toString('base64')}\n`);
  const place = join(folder, 'backups');
  const copy = join(folder, 'archive-copy');
  const lost = await loseExchange(folder, { size, keyFile, place, copy });
  const { placed, taken } = lost;
  const from = ['--from', place, '--key-file', keyFile];
  const alone = await restoreAlone(join(folder, 'alone'), from, taken);
  const ahead = await restoreAhead(join(folder, 'ahead'), [...from, '--archive', copy], lost);
  const { manifest } = taken.backup;
  const figures = {
    orders: size.orders + placed,
    commands: manifest.log.commands,
    hashEqual: alone.hashEqual && ahead.hashEqual,
    tablesEqual: alone.tablesEqual && ahead.tablesEqual,
    registryEqual: alone.registryEqual,
    reconcileClean: alone.isClean,
    inFlightSettled: alone.settled === IN_FLIGHT,
    withoutRequest: ahead.named,
    allNamed: ahead.allNamed,
    trimmedFrames: taken.firstFrame - 1,
    backupSeconds: taken.seconds,
    backupBytes: storedBytes(manifest),
    restoreSeconds: alone.seconds,
    tablesSeconds: alone.tablesSeconds,
  };
  const failed = Object.entries(figures).filter(([, value]) => value === false);
  if (failed.length > 0) process.exitCode = 1;
  return figures;
}

interface Lost {
  readonly taken: Taken;
  /** State when the servers were lost. */
  readonly end: Truth;
  /** Positions of money commands that the log has but the backup's registry does not. */
  readonly later: readonly string[];
  readonly placed: number;
}

async function loseExchange(
  folder: string,
  plan: {
    readonly size: Size;
    readonly keyFile: string;
    readonly place: string;
    readonly copy: string;
  },
): Promise<Lost> {
  const { orders, snapshotEveryMs } = plan.size;
  const source = await SourceExchange.open(folder, orders, snapshotEveryMs);
  try {
    const taken = await source.backUp(plan.place, readBackupKey(plan.keyFile), IN_FLIGHT);
    console.log(`backup of frame ${taken.truth.sequence} in ${taken.seconds} s`);
    const before = await source.moneyPositions();
    await source.withdraw(LATER);
    const end = await source.truth();
    const positions = await source.moneyPositions();
    source.copyArchive(plan.copy);
    const later = [...positions].filter((position) => !before.has(position));
    return { taken, end, later, placed: source.placed };
  } finally {
    await source.stop();
    // Removes log servers, database and archive.
    rmSync(join(folder, 'source'), { recursive: true, force: true });
  }
}

async function restoreAlone(folder: string, from: readonly string[], taken: Taken) {
  const { registry, truth } = taken;
  const exchange = await RestoredExchange.open(folder);
  try {
    const { code, report, result, seconds } = await exchange.restore([
      ...from,
      '--archive',
      join(folder, 'archive'),
    ]);
    console.log(`${report}restored in ${seconds} s: ${JSON.stringify(result)}`);
    const connection = await exchange.connect();
    const restoredRegistry = await registryChecksums(connection, REGISTRY_SCHEMA);
    const projectingMs = performance.now();
    const tables = await exchange.project(truth.sequence);
    const tablesSeconds = secondsSince(projectingMs);
    await exchange.settleOutbox();
    return {
      isClean: code === 0,
      hashEqual: result.stateHash === truth.stateHash && result.frames === truth.sequence,
      tablesEqual: isDeepStrictEqual(tables, truth.tables),
      registryEqual: isDeepStrictEqual(withoutRebuilt(restoredRegistry), withoutRebuilt(registry)),
      settled: result.settled,
      seconds,
      tablesSeconds,
    };
  } finally {
    await exchange.stop();
  }
}

/** Removes the tables that change when reconcile settles pending rows. */
function withoutRebuilt(checksums: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(checksums).filter(([name]) => !REBUILT.has(name)));
}

const REBUILT = new Set(['outbox', 'withdrawal_requests', 'transfer_changes', 'registry_term']);

/** The registry is from the backup, the log from the copy. */
async function restoreAhead(folder: string, options: readonly string[], { end, later }: Lost) {
  const exchange = await RestoredExchange.open(folder);
  try {
    const { code, report, result } = await exchange.restore(options);
    console.log(`${report}${JSON.stringify(result)}`);
    const named = [...report.matchAll(/^found: .*channel (\d+) position (\d+): /gm)].map(
      ([, channel, position]) => `${channel}.${position}`,
    );
    const tables = await exchange.project(end.sequence);
    return {
      hashEqual: result.stateHash === end.stateHash,
      tablesEqual: isDeepStrictEqual(tables, end.tables),
      named: named.length,
      allNamed: code === 1 && isDeepStrictEqual(named.sort(), [...later].sort()),
    };
  } finally {
    await exchange.stop();
  }
}
