// Active switches, as rows of the registry. Every change of a row increments the version in its
// transaction, so processes detect changes with one small query.

import type { MarketStatus } from '../../../core/messages/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { BannerKind, SwitchName } from '../api/switches.ts';

/** Something stopped by a switch. */
export interface Stop {
  readonly name: SwitchName;
  /** A market, a coin, a service, `tier 2`, `group 7`, `user 17`; '' for the exchange. */
  readonly object: string;
  /** Status of a market while it is stopped; '' for everything else. */
  readonly mode: MarketStatus | '';
  /** Status to which a market returns; '' for everything else. */
  readonly resumesTo: MarketStatus | '';
  /** Undefined for the reconciliation. */
  readonly stoppedBy: number | undefined;
  readonly stoppedAt: Date;
  readonly reason: string;
  /** Text for users; '' if there is none. */
  readonly banner: string;
}

/** An operator's text for all users. */
export interface Banner {
  readonly kind: BannerKind;
  readonly text: string;
  readonly setAt: Date;
}

export interface Switches {
  readonly version: number;
  /** By name and object. */
  readonly stops: readonly Stop[];
  readonly banner: Banner | undefined;
}

/** Returns version, stops and banner of one point in time. */
export async function readSwitches(statements: Statements): Promise<Switches> {
  const { rows } = await statements.query(
    `select v.version, b.kind, b.text, b.set_at, s.*
     from switch_version v left join exchange_banner b on true left join stops s on true
     order by s.name, s.object`,
  );
  if (rows.length === 0) throw new Error('switch_version has no row');
  const [{ kind, set_at: setAt, text, version }] = rows;
  return {
    version: Number(version),
    stops: rows.filter(({ name }) => name !== null).map(stopOf),
    banner: kind === null ? undefined : { kind, text, setAt },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the table `stops`.
function stopOf(row: any): Stop {
  return {
    name: row.name,
    object: row.object,
    mode: row.mode,
    resumesTo: row.previous,
    stoppedBy: row.stopped_by === null ? undefined : Number(row.stopped_by),
    stoppedAt: row.stopped_at,
    reason: row.reason,
    banner: row.banner,
  };
}
