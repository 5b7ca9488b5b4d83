// `balance`: an account's balance at a moment, and its postings with their causes up to that
// moment. Replays windows between snapshots backwards until there are enough postings.

import { accountsOf } from '../../core/engine/index.ts';
import { type AccountPart, type Event, type Owner, postingsOf } from '../../core/messages/index.ts';
import { type AssetId, type Atoms, decimalFromAtoms } from '../../core/money/index.ts';
import { ArchiveFault } from '../../infra/journal/index.ts';
import {
  type Applied,
  type ReplaySource,
  type Replica,
  replay,
  startReplica,
} from '../../infra/replica/index.ts';
import { counted, countText, tableLines } from '../text-table.ts';
import { eventSentence } from './event-sentence.ts';
import { type Moment, sequenceAt, timeText } from './moments.ts';
import { Names, ownerText } from './names.ts';

export interface BalanceOptions {
  readonly owner: Owner;
  /** Symbol or ID. */
  readonly asset: string;
  readonly at: Moment;
  /** Number of last postings to return; infinity for all. */
  readonly last: number;
}

/** One change of the account. */
export interface AccountLine {
  readonly sequence: number;
  readonly epoch: number;
  readonly timeMs: number;
  /** 0 if a time step was the cause. */
  readonly command: number;
  readonly cause: string;
  /** Kind of the event, and its description. */
  readonly kind: Event['kind'];
  readonly sentence: string;
  /** Other side: another account's part, or the other part of this account. */
  readonly other: string;
  readonly availableChangeAtoms: bigint;
  readonly heldChangeAtoms: bigint;
  /** Balance after this change. */
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

export interface Balance {
  readonly owner: number;
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
  readonly sequence: number;
  readonly timeMs: number;
  readonly commands: number;
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
  readonly postings: readonly AccountLine[];
  /** True if the postings go back to the first. */
  readonly isComplete: boolean;
}

export async function balance(source: ReplaySource, options: BalanceOptions): Promise<Balance> {
  const { archive } = source;
  const sequence = await sequenceAt(archive, options.at);
  const wanted = options.last;
  // Complete lists are read in one pass.
  const from = wanted === Number.POSITIVE_INFINITY ? { ...source, snapshots: undefined } : source;
  const latest = new Statement(await startReplica(from, sequence), options);
  let start = latest.startSequence;
  await latest.read(source, sequence);
  const asset = latest.asset();
  let lines = latest.lines;
  // Reads one more than wanted to detect whether there are more.
  while (wanted > 0 && lines.length <= wanted && start > 0) {
    const earlier = new Statement(await startReplica(from, start - 1), options);
    const end = start;
    start = earlier.startSequence;
    await earlier.read(source, end);
    lines = [...earlier.lines, ...lines];
  }
  const { exchange } = latest.replica;
  return {
    owner: options.owner,
    asset: asset.id,
    symbol: asset.symbol,
    scale: asset.scale,
    sequence,
    timeMs: exchange.timeMs,
    commands: exchange.commandsApplied,
    ...latest.account(),
    postings: wanted === 0 ? [] : lines.slice(-wanted),
    isComplete: start === 0 && lines.length <= wanted,
  };
}

/** Changes to one account while a replica advances. Keeps only as many as are wanted. */
class Statement {
  readonly replica: Replica;
  readonly startSequence: number;
  lines: AccountLine[] = [];
  readonly #options: BalanceOptions;
  readonly #names: Names;
  #asset: AssetId | undefined;
  #available: bigint;
  #held: bigint;

  constructor(replica: Replica, options: BalanceOptions) {
    this.replica = replica;
    this.startSequence = replica.sequence;
    this.#options = options;
    this.#names = new Names(replica.exchange);
    const { availableAtoms, heldAtoms } = this.account();
    this.#available = availableAtoms;
    this.#held = heldAtoms;
  }

  async read({ archive }: ReplaySource, to: number): Promise<void> {
    for await (const applied of replay(archive, this.replica, to)) {
      for (const event of applied.events.events) this.#post(applied, event);
    }
    const { availableAtoms, heldAtoms } = this.account();
    if (availableAtoms === this.#available && heldAtoms === this.#held) return;
    throw new Error('the postings do not add up to what the engine has: this is a bug');
  }

  asset() {
    const asset = this.#names.findAsset(this.#options.asset);
    if (asset !== undefined) return asset;
    const detail = `there is no asset ${this.#options.asset} at this moment`;
    throw new ArchiveFault('not_there', detail, { sequence: this.replica.sequence });
  }

  /** Returns the account in the engine; an account that was never opened is empty. */
  account(): Pick<Balance, 'availableAtoms' | 'heldAtoms'> {
    const id = this.#assetId();
    const found = accountsOf(this.replica.exchange).find(
      ({ owner, asset }) => owner === this.#options.owner && asset === id,
    );
    return { availableAtoms: found?.availableAtoms ?? 0n, heldAtoms: found?.heldAtoms ?? 0n };
  }

  /** Returns undefined until the asset is listed. */
  #assetId(): AssetId | undefined {
    this.#asset ??= this.#names.findAsset(this.#options.asset)?.id;
    return this.#asset;
  }

  #post({ frame, events }: Applied, event: Event): void {
    const { owner } = this.#options;
    const asset = this.#assetId();
    for (const posting of postingsOf(event)) {
      const { from, to, amountAtoms, cause } = posting;
      if (posting.asset !== asset || (from.owner !== owner && to.owner !== owner)) continue;
      const change = (part: AccountPart) =>
        (to.owner === owner && to.part === part ? amountAtoms : 0n) -
        (from.owner === owner && from.part === part ? amountAtoms : 0n);
      const [availableChangeAtoms, heldChangeAtoms] = [change('available'), change('held')];
      this.#available += availableChangeAtoms;
      this.#held += heldChangeAtoms;
      const other = from.owner === owner ? to : from;
      this.lines.push({
        sequence: frame.sequence,
        epoch: frame.epoch,
        timeMs: events.timeMs,
        command: event.command,
        cause: `${cause.kind} ${cause.id}`,
        kind: event.kind,
        sentence: eventSentence(this.#names, event),
        other: other.owner === owner ? `own ${other.part}` : ownerText(other.owner),
        availableChangeAtoms,
        heldChangeAtoms,
        availableAtoms: this.#available,
        heldAtoms: this.#held,
      });
    }
    // Drops many at a time, so each is moved about once.
    const { last } = this.#options;
    if (this.lines.length > 2 * last + 2) this.lines = this.lines.slice(-(last + 1));
  }
}

const COLUMNS = [
  { title: 'frame', isNumber: true },
  { title: 'time' },
  { title: 'command', isNumber: true },
  { title: 'cause' },
  { title: 'available', isNumber: true },
  { title: 'held', isNumber: true },
  { title: 'other side' },
  { title: '= available', isNumber: true },
  { title: '= held', isNumber: true },
  { title: 'event' },
];

export function balanceText(found: Balance): string {
  const decimal = (atoms: bigint) => decimalFromAtoms(atoms as Atoms, found.scale);
  const signed = (atoms: bigint) => {
    if (atoms === 0n) return '';
    return atoms > 0n ? `+${decimal(atoms)}` : decimal(atoms);
  };
  const rows = found.postings.map((line) => [
    String(line.sequence),
    timeText(line.timeMs),
    line.command === 0 ? 'time' : String(line.command),
    line.cause,
    signed(line.availableChangeAtoms),
    signed(line.heldChangeAtoms),
    line.other,
    decimal(line.availableAtoms),
    decimal(line.heldAtoms),
    line.kind,
  ]);
  const after = `after frame ${found.sequence} and ${countText(found.commands)} commands`;
  const which = found.isComplete ? 'from the first on' : 'the last; --all shows those before';
  const lines = [
    `${ownerText(found.owner)}, ${found.symbol} (asset ${found.asset})`,
    `at         ${timeText(found.timeMs)}, ${after}`,
    `available  ${decimal(found.availableAtoms)}`,
    `held       ${decimal(found.heldAtoms)}`,
    '',
    `${counted(found.postings.length, 'posting')}, ${which}`,
  ];
  return [...lines, ...(rows.length === 0 ? [] : tableLines(COLUMNS, rows))].join('\n');
}
