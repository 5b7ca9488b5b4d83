// A batch's account changes: ledger entries for every posting, and one balance update per account
// with the total of its changes. Postings alone must define the changes: core/messages/postings.

import { type Event, type Posting, postingsOf } from '../../core/messages/index.ts';
import { type Connection, CopyRows, columnArrays } from '../../infra/postgres/index.ts';
import type { EventPosition } from './event-position.ts';
import type { KnownRows } from './known-rows.ts';

interface AccountChange {
  availableAtoms: bigint;
  heldAtoms: bigint;
  at: EventPosition;
}

const ENTRY_COLUMNS = [
  'owner',
  'asset_id',
  'frame',
  'event_index',
  'posting_index',
  'available_change_atoms',
  'held_change_atoms',
  'cause_kind',
  'cause_id',
  'command',
  'reference',
  'recorded_at',
];

const OPEN = `
  insert into balances (owner, asset_id, available_atoms, held_atoms, updated_at, updated_frame)
  select owner, asset_id, 0, 0, to_timestamp(0), 0
  from unnest($1::bigint[], $2::bigint[]) as c(owner, asset_id)
  on conflict do nothing`;

const UPDATE = `
  update balances b set
    available_atoms = b.available_atoms + c.available_atoms,
    held_atoms = b.held_atoms + c.held_atoms,
    updated_at = c.updated_at,
    updated_frame = c.updated_frame
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[],
      $6::bigint[])
    as c(owner, asset_id, available_atoms, held_atoms, updated_at, updated_frame)
  where b.owner = c.owner and b.asset_id = c.asset_id`;

export class AccountChanges {
  readonly entries = new CopyRows('ledger_entries', ENTRY_COLUMNS);
  /** By asset, then owner. */
  readonly #changes = new Map<number, Map<number, AccountChange>>();
  #accounts = 0;

  get accounts(): number {
    return this.#accounts;
  }

  post(event: Event, position: EventPosition): void {
    const postings = postingsOf(event);
    for (let index = 0; index < postings.length; index++) {
      this.#post(postings[index], index, event, position);
    }
  }

  async write(connection: Connection, known: KnownRows): Promise<void> {
    await this.entries.copy(connection);
    if (this.#accounts === 0) return;
    await this.#open(connection, known);
    const columns = columnArrays(['owner', 'asset', 'available', 'held', 'time', 'frame']);
    for (const [asset, changes] of this.#changes) {
      for (const [owner, { at, availableAtoms, heldAtoms }] of changes) {
        columns.owner.add(owner);
        columns.asset.add(asset);
        columns.available.add(availableAtoms);
        columns.held.add(heldAtoms);
        columns.time.addTime(at.timeMs);
        columns.frame.add(at.frame);
      }
    }
    const values = Object.values(columns).map(({ literal }) => literal);
    const { rowCount } = await connection.query({ name: 'balances', text: UPDATE, values });
    if (rowCount !== this.#accounts) {
      throw new Error(`updated ${rowCount} balances, expected ${this.#accounts}`);
    }
  }

  /** Call after the commit. */
  remember(known: KnownRows): void {
    for (const [asset, changes] of this.#changes) {
      for (const owner of changes.keys()) known.add(owner, asset);
    }
  }

  async #open(connection: Connection, known: KnownRows): Promise<void> {
    const columns = columnArrays(['owner', 'asset']);
    for (const [asset, changes] of this.#changes) {
      for (const owner of changes.keys()) {
        if (known.has(owner, asset)) continue;
        columns.owner.add(owner);
        columns.asset.add(asset);
      }
    }
    if (columns.owner.count === 0) return;
    await connection.query(OPEN, [columns.owner.literal, columns.asset.literal]);
  }

  #post(posting: Posting, postingIndex: number, event: Event, position: EventPosition): void {
    const { amountAtoms, asset, from, to } = posting;
    const paid: [available: bigint, held: bigint] =
      from.part === 'available' ? [-amountAtoms, 0n] : [0n, -amountAtoms];
    const received: [available: bigint, held: bigint] =
      to.part === 'available' ? [amountAtoms, 0n] : [0n, amountAtoms];
    const entry = { asset, posting, postingIndex, event, position };
    if (from.owner === to.owner) {
      this.#enter(from.owner, [paid[0] + received[0], paid[1] + received[1]], entry);
    } else {
      this.#enter(from.owner, paid, entry);
      this.#enter(to.owner, received, entry);
    }
  }

  #enter(owner: number, [available, held]: [bigint, bigint], entry: Entry): void {
    const { asset, event, position, posting, postingIndex } = entry;
    const { entries } = this;
    entries
      .row()
      .integer(owner)
      .integer(asset)
      .integer(position.frame)
      .integer(position.eventIndex);
    entries.integer(postingIndex).bigint(available).bigint(held);
    entries.text(posting.cause.kind).integer(posting.cause.id).integer(event.command);
    if ('reference' in event) entries.text(event.reference);
    else entries.null();
    entries.time(position.timeMs);
    const change = this.#changeOf(owner, asset, position);
    change.availableAtoms += available;
    change.heldAtoms += held;
    change.at = position;
  }

  #changeOf(owner: number, asset: number, at: EventPosition): AccountChange {
    let ofAsset = this.#changes.get(asset);
    if (ofAsset === undefined) this.#changes.set(asset, (ofAsset = new Map()));
    let change = ofAsset.get(owner);
    if (change === undefined) {
      ofAsset.set(owner, (change = { availableAtoms: 0n, heldAtoms: 0n, at }));
      this.#accounts++;
    }
    return change;
  }
}

interface Entry {
  readonly asset: number;
  readonly posting: Posting;
  readonly postingIndex: number;
  readonly event: Event;
  readonly position: EventPosition;
}
