// `rialto audit liabilities`: replays an archive on an empty machine and reproduces a publication,
// or names what differs. Trusts the archive's hash chain, and nothing that the exchange computed.

import { openLiabilityDocument } from '../../client/index.ts';
import {
  buildLiabilityTree,
  NODE_BYTES,
  type PublishedAsset,
  recordsOf,
  type WordDigests,
  writeLeaves,
} from '../../features/proofs/index.ts';
import { openReplaySource, replayTo, startReplica } from '../../infra/replica/index.ts';
import { ToolFault } from '../command-line.ts';
import { type AssetLiabilities, liabilitiesOf } from '../proof/exchange-liabilities.ts';
import { pinsOf, publishedAsset } from '../proof/publish.ts';

export interface AuditOptions {
  readonly archiveFolder: string;
  readonly frame: number | undefined;
  /** The publication file: the document, and its signature. */
  readonly publication: string;
  readonly seed: Uint8Array;
  readonly words: WordDigests;
  readonly usesSnapshots: boolean;
  /** The published leaves of an asset, if the auditor has them. */
  leavesOf(asset: string): Promise<Buffer | undefined>;
}

export interface AuditReport {
  readonly frame: number;
  readonly hash: string;
  readonly assets: readonly PublishedAsset[];
  /** Empty if every number is reproduced. */
  readonly findings: readonly string[];
}

const ACCOUNTS_NAMED_MAX = 20;

export async function auditLiabilities(options: AuditOptions): Promise<AuditReport> {
  const [document = '', signed = ''] = options.publication.split('\n');
  const { public_key, signature } = JSON.parse(signed);
  const opened = await openLiabilityDocument({ document, public_key, signature });
  if ('findings' in opened) {
    throw new ToolFault(`The publication is not valid: ${opened.findings[0].problem}.`);
  }
  const { document: published, publicationHash: hash } = opened;
  if (options.frame !== undefined && options.frame !== published.frame) {
    throw new ToolFault(`The publication is of frame ${published.frame}, not ${options.frame}.`);
  }
  const source = await openReplaySource(options.archiveFolder, () => undefined);
  const { archive } = source;
  const start = options.usesSnapshots ? source : { ...source, snapshots: undefined };
  const replica = await startReplica(start, published.frame);
  await replayTo(archive, replica, published.frame);
  const findings: string[] = [];
  const pins = pinsOf(replica);
  for (const name of ['frame', 'frame_hash', 'frame_time', 'snapshot_sha256'] as const) {
    if (pins[name] === published[name]) continue;
    findings.push(`${name}: the archive has ${pins[name]}, published is ${published[name]}`);
  }
  const assets: PublishedAsset[] = [];
  for (const liabilities of liabilitiesOf(replica.exchange)) {
    const asset = publishedAsset(liabilities, treeOf(liabilities, options));
    const found = published.assets.find((one) => one.asset === asset.asset);
    assets.push(asset);
    const differences = differencesOf(asset, found);
    findings.push(...differences);
    if (differences.length > 0) findings.push(...(await differingAccounts(liabilities, options)));
  }
  for (const { asset } of published.assets) {
    if (!assets.some((one) => one.asset === asset)) findings.push(`${asset}: not in the archive`);
  }
  return { frame: published.frame, hash, assets, findings };
}

function treeOf({ asset, customers }: AssetLiabilities, { seed, words }: AuditOptions) {
  const parts = buildLiabilityTree(asset, customers, words, seed);
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

function differencesOf(asset: PublishedAsset, found: PublishedAsset | undefined): string[] {
  if (found === undefined) return [`${asset.asset}: not published`];
  const names = ['decimals', 'root', 'depth', 'leaves', 'total', 'fees', 'issued'] as const;
  const differences = names
    .filter((name) => asset[name] !== found[name])
    .map((name) => `${asset.asset} ${name}: expected ${asset[name]}, published is ${found[name]}`);
  if (JSON.stringify(asset.house) !== JSON.stringify(found.house)) {
    differences.push(`${asset.asset} house accounts differ`);
  }
  return differences;
}

/** Names the accounts whose leaves are not among the published ones. */
async function differingAccounts(
  { asset, customers }: AssetLiabilities,
  { leavesOf, seed, words }: AuditOptions,
): Promise<string[]> {
  const published = await leavesOf(asset);
  if (published === undefined) return [`${asset}: --leaves FOLDER names the accounts that differ`];
  const known = new BigUint64Array(published.length / NODE_BYTES);
  for (let at = 0; at < known.length; at++) {
    known[at] = published.readBigUInt64BE(at * NODE_BYTES);
  }
  known.sort();
  const { leaves, places } = ownLeaves(asset, customers, words, seed);
  const findings: string[] = [];
  for (const [account, user] of customers.users.entries()) {
    const isPublished = [places[account * 2], places[account * 2 + 1]].every((place) =>
      includes(known, leaves.readBigUInt64BE(place * NODE_BYTES)),
    );
    if (isPublished) continue;
    findings.push(`${asset} user ${user}: ${customers.atoms[account]} atoms are missing or differ`);
    if (findings.length === ACCOUNTS_NAMED_MAX) break;
  }
  return findings;
}

function ownLeaves(
  asset: string,
  customers: AssetLiabilities['customers'],
  words: WordDigests,
  seed: Uint8Array,
) {
  const places = new Uint32Array(customers.users.length * 2);
  let at = 0;
  const parts = writeLeaves(asset, customers, words, seed);
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return { leaves: value, places };
    for (const record of recordsOf(value.records)) {
      places.set(record.places, at);
      at += record.places.length;
    }
  }
}

function includes(sorted: BigUint64Array, value: bigint): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value;
}
