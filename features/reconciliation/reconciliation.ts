// The running comparison: in each round every check continues where it stopped. A discrepancy
// counts if two rounds in a row find it, or immediately if no operation in progress can look like
// it.

import type { Connection } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { CHANNELS } from './channel-checks.ts';
import type { Check, CheckContext, CheckName, CoinSource, Place } from './check.ts';
import { COINS } from './coins-check.ts';
import { CUSTODY } from './custody-check.ts';
import { type Recorded, recordDifferences } from './differences.ts';
import type { EngineState } from './engine-state.ts';
import { HOLDS } from './hold-checks.ts';
import { HOLDINGS } from './holdings.ts';
import { BALANCES, ENGINE_SUMS, ENTRIES } from './ledger-checks.ts';
import { LOG } from './log-checks.ts';
import { NOTICES } from './notice-checks.ts';
import { ORDERS } from './order-checks.ts';
import { DEPOSIT_CHECK, WITHDRAWAL_CHECK } from './request-checks.ts';
import { USERS } from './user-checks.ts';

export const CHECKS: readonly Check[] = [
  ENGINE_SUMS,
  BALANCES,
  ENTRIES,
  LOG,
  ORDERS,
  USERS,
  CHANNELS,
  HOLDS,
  DEPOSIT_CHECK,
  WITHDRAWAL_CHECK,
  NOTICES,
  HOLDINGS,
  CUSTODY,
  COINS,
];

export interface ReconciliationPorts {
  readonly vault: Vault;
  readonly projectionSchema: string;
  readonly engine: EngineState;
  readonly rowsMax: number;
  /** Balances on chains; undefined without custody. */
  readonly coins?: CoinSource | undefined;
}

export interface Round extends Recorded {
  readonly check: CheckName;
  readonly rows: number;
  /** Duration, at the end of a pass. */
  readonly passMs: number | undefined;
  /** Nothing could be compared. */
  readonly isLater: boolean;
}

interface Walk {
  readonly from: Place | undefined;
  readonly beganMs: number;
  /** Discrepancies of the last round: the same place is read again before they count. */
  readonly suspected: readonly string[];
  /** How often the same place was read again. */
  readonly repeats: number;
}

/** Requests in progress might differ in each round; the walk then continues anyway. */
const REPEATS_MAX = 3;

export class Reconciliation {
  readonly #ports: ReconciliationPorts;
  readonly #walks = new Map<CheckName, Walk>();

  constructor(ports: ReconciliationPorts) {
    this.#ports = ports;
  }

  /** One step of a check. */
  async step(connection: Connection, check: Check, nowMs: number): Promise<Round> {
    const { coins, engine, projectionSchema, rowsMax, vault } = this.#ports;
    const walk = this.#walks.get(check.name) ?? newWalk(nowMs);
    const context: CheckContext = { connection, projectionSchema, engine, nowMs, rowsMax, coins };
    const walked = await check.walk(context, walk.from);
    const round = { check: check.name, opened: [], closed: [], paused: [], passMs: undefined };
    if (walked === 'later') return { ...round, rows: 0, isLater: true };
    const { differences, frame, next, rows } = walked;
    const suspected = new Set(walk.suspected);
    const confirmed = differences.filter(
      ({ isCertain, object }) => isCertain || suspected.has(object),
    );
    const stays = confirmed.length < differences.length && walk.repeats < REPEATS_MAX;
    const isEnd = !stays && next === undefined;
    const recorded = await recordDifferences(connection, vault, {
      check,
      frame,
      rows,
      differences: confirmed,
      passBeganMs: isEnd ? walk.beganMs : undefined,
      nowMs,
    });
    const { beganMs, repeats } = walk;
    const objects = differences.map(({ object }) => object);
    if (stays) this.#walks.set(check.name, { ...walk, suspected: objects, repeats: repeats + 1 });
    else if (isEnd) this.#walks.set(check.name, newWalk(nowMs));
    else this.#walks.set(check.name, { from: next, beganMs, suspected: [], repeats: 0 });
    const passMs = isEnd ? nowMs - beganMs : undefined;
    return { ...round, ...recorded, rows, passMs, isLater: false };
  }
}

function newWalk(nowMs: number): Walk {
  return { from: undefined, beganMs: nowMs, suspected: [], repeats: 0 };
}
