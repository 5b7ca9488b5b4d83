// Verifies a proof of liabilities with Web Crypto alone: in a browser, in Node and offline. The
// verifier page and `rialto proof verify` contain this code. Must never trust a number that the
// signed document or a hash does not confirm.

export interface LiabilityProofNode {
  readonly hash: string;
  readonly atoms: string;
}

export interface LiabilityProofChunk {
  readonly atoms: string;
  readonly place: number;
  /** Siblings from the leaf up. */
  readonly path: readonly LiabilityProofNode[];
}

/** The file that a user downloads. Amounts are whole atoms as text. */
export interface LiabilityProofFile {
  readonly frame: number;
  /** The signed publication, byte for byte. */
  readonly document: string;
  readonly signature: string;
  readonly public_key: string;
  readonly user_id: number;
  readonly assets: readonly {
    readonly asset: string;
    readonly salt: string;
    readonly chunks: readonly LiabilityProofChunk[];
  }[];
}

export interface LiabilityDocument {
  readonly format: string;
  readonly frame: number;
  readonly frame_hash: string;
  readonly frame_time: string;
  readonly snapshot_sha256: string;
  readonly release: string;
  readonly published_at: string;
  readonly previous: string | null;
  readonly assets: readonly {
    readonly asset: string;
    readonly decimals: number;
    readonly root: string;
    readonly depth: number;
    readonly leaves: number;
    readonly total: string;
    readonly house: readonly { readonly user_id: number; readonly atoms: string }[];
    readonly fees: string;
    readonly issued: string;
  }[];
}

export type LiabilityProblem =
  | 'file_malformed'
  | 'format_unknown'
  | 'signature_invalid'
  /** Web Crypto here has no Ed25519. */
  | 'signature_unsupported'
  | 'key_unexpected'
  | 'publication_unexpected'
  | 'frame_mismatch'
  /** The user had no balance, or the exchange left it out. */
  | 'nothing_proven'
  | 'asset_unknown'
  | 'asset_repeated'
  | 'chunks_invalid'
  | 'amount_out_of_range'
  | 'sum_too_large'
  | 'path_length_wrong'
  | 'root_mismatch'
  | 'total_mismatch';

export interface LiabilityFinding {
  readonly problem: LiabilityProblem;
  readonly asset?: string;
}

export interface LiabilityResult {
  readonly isValid: boolean;
  readonly findings: readonly LiabilityFinding[];
  readonly document?: LiabilityDocument;
  /** Compare it with the hash that others see: all must see the same. */
  readonly publicationHash?: string;
  /** Proven amounts. Empty unless the proof is valid. */
  readonly amounts: readonly {
    readonly asset: string;
    readonly amount: string;
    readonly atoms: bigint;
  }[];
}

export interface LiabilityExpectations {
  /** Typed by the user, not read from the file: their email at the time of publication. */
  readonly word: string;
  /** As published elsewhere, in hexadecimal. */
  readonly publicKey?: string | undefined;
  readonly publicationHash?: string | undefined;
}

const FORMAT = 'rialto-liabilities-1';
const CHUNKS = 2;
const SUM_MAX = 2n ** 62n;
const DEPTH_MAX = 40;
/** A leaf has 4 bytes for the user and 16 for the asset: nothing longer can be confused with it. */
const USER_MAX = 2 ** 32 - 1;
const ASSET = /^[a-z0-9]{1,16}$/;
const HASH = /^[0-9a-f]{64}$/;
const ATOMS = /^(?:0|[1-9][0-9]{0,19})$/;

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Returns findings for every attack; throws only if Web Crypto is missing. */
export async function verifyLiabilityProof(
  proof: LiabilityProofFile,
  expected: LiabilityExpectations,
): Promise<LiabilityResult> {
  if (!isProofFile(proof)) return rejected('file_malformed');
  const opened = await openLiabilityDocument(proof);
  if ('findings' in opened) return opened;
  const { document, publicationHash } = opened;
  const findings: LiabilityFinding[] = [];
  const { publicKey } = expected;
  if (publicKey !== undefined && publicKey.trim().toLowerCase() !== proof.public_key) {
    findings.push({ problem: 'key_unexpected' });
  }
  const hash = expected.publicationHash?.trim().toLowerCase();
  if (hash !== undefined && hash !== publicationHash) {
    findings.push({ problem: 'publication_unexpected' });
  }
  if (proof.frame !== document.frame) findings.push({ problem: 'frame_mismatch' });
  const word = await sha256(encoder.encode(expected.word));
  const amounts = [];
  const seen = new Set<string>();
  for (const account of proof.assets) {
    const { asset } = account;
    const published = document.assets.filter((one) => one.asset === asset);
    let problem: LiabilityProblem | undefined;
    let atoms = 0n;
    if (published.length !== 1) problem = 'asset_unknown';
    else if (seen.has(asset)) problem = 'asset_repeated';
    else {
      const verified = await verifyAccount(account, proof.user_id, word, published[0]);
      if (typeof verified === 'string') problem = verified;
      else atoms = verified;
    }
    seen.add(asset);
    if (problem !== undefined) findings.push({ problem, asset });
    else amounts.push({ asset, atoms, amount: decimalText(atoms, published[0].decimals) });
  }
  if (proof.assets.length === 0) findings.push({ problem: 'nothing_proven' });
  const isValid = findings.length === 0;
  return { isValid, findings, document, publicationHash, amounts: isValid ? amounts : [] };
}

/** Checks the signature and the sums of a publication, without a user's path. */
export async function openLiabilityDocument(
  file: Pick<LiabilityProofFile, 'document' | 'signature' | 'public_key'>,
): Promise<
  LiabilityResult | { readonly document: LiabilityDocument; readonly publicationHash: string }
> {
  const bytes = encoder.encode(file.document);
  if (!/^[0-9a-f]{128}$/.test(file.signature) || !HASH.test(file.public_key)) {
    return rejected('file_malformed');
  }
  const key = await crypto.subtle
    .importKey('raw', fromHex(file.public_key), 'Ed25519', false, ['verify'])
    .catch(() => undefined);
  if (key === undefined) return rejected('signature_unsupported');
  const isSigned = await crypto.subtle.verify('Ed25519', key, fromHex(file.signature), bytes);
  if (!isSigned) return rejected('signature_invalid');
  const document: LiabilityDocument = JSON.parse(file.document);
  if (document.format !== FORMAT) return rejected('format_unknown');
  for (const { asset, fees, house, issued, total } of document.assets) {
    const parts = [total, fees, ...house.map(({ atoms }) => atoms)];
    if (![issued, ...parts].every(isAmount)) return rejected('amount_out_of_range', asset);
    const sum = parts.reduce((all, part) => all + BigInt(part), 0n);
    if (sum !== BigInt(issued)) return rejected('total_mismatch', asset);
  }
  return { document, publicationHash: toHex(await sha256(bytes)) };
}

export interface PublicationConflict {
  readonly frame: number;
  readonly problem: 'two_publications' | 'chain_broken';
}

/**
 * Compares publications from several places, such as two users' proofs or two mirrors. Two that
 * differ for one frame, or that name the same previous one, prove that the exchange equivocated.
 */
export async function findPublicationConflicts(
  documents: readonly string[],
): Promise<PublicationConflict[]> {
  const byFrame = new Map<number, string>();
  const byPrevious = new Map<string, string>();
  const conflicts: PublicationConflict[] = [];
  for (const text of documents) {
    const { frame, previous }: LiabilityDocument = JSON.parse(text);
    const hash = toHex(await sha256(encoder.encode(text)));
    const other = byFrame.get(frame);
    if (other !== undefined && other !== hash) {
      conflicts.push({ frame, problem: 'two_publications' });
    }
    byFrame.set(frame, hash);
    const before = previous ?? '';
    const sibling = byPrevious.get(before);
    if (other === undefined && sibling !== undefined && sibling !== hash) {
      conflicts.push({ frame, problem: 'chain_broken' });
    }
    byPrevious.set(before, hash);
  }
  return conflicts;
}

/** Returns the proven atoms, or the problem. */
async function verifyAccount(
  { asset, chunks, salt }: LiabilityProofFile['assets'][number],
  user: number,
  word: Bytes,
  { depth, leaves, root, total }: LiabilityDocument['assets'][number],
): Promise<bigint | LiabilityProblem> {
  const places = new Set(chunks.map(({ place }) => place));
  if (chunks.length !== CHUNKS || places.size !== CHUNKS || !HASH.test(salt)) {
    return 'chunks_invalid';
  }
  if (depth > DEPTH_MAX || leaves > 2 ** depth) return 'path_length_wrong';
  let amount = 0n;
  for (const [index, { atoms, path, place }] of chunks.entries()) {
    if (!Number.isSafeInteger(place) || place < 0 || place >= leaves) return 'chunks_invalid';
    if (path.length !== depth) return 'path_length_wrong';
    if (![atoms, ...path.map((node) => node.atoms)].every(isAmount)) return 'amount_out_of_range';
    if (!path.every(({ hash }) => HASH.test(hash))) return 'file_malformed';
    let hash = await leafHash({ asset, salt, user, word, chunk: index, atoms: BigInt(atoms) });
    let sum = BigInt(atoms);
    let at = place;
    for (const sibling of path) {
      const own = joined([hash, uint(sum, 8)]);
      const other = joined([fromHex(sibling.hash), uint(BigInt(sibling.atoms), 8)]);
      const [left, right] = at % 2 === 0 ? [own, other] : [other, own];
      hash = await sha256(joined([encoder.encode('N'), left, right]));
      sum += BigInt(sibling.atoms);
      if (sum > SUM_MAX) return 'sum_too_large';
      at = Math.floor(at / 2);
    }
    if (toHex(hash) !== root) return 'root_mismatch';
    if (sum !== BigInt(total)) return 'total_mismatch';
    amount += BigInt(atoms);
  }
  return amount;
}

interface Leaf {
  readonly asset: string;
  readonly salt: string;
  readonly user: number;
  readonly word: Bytes;
  readonly chunk: number;
  readonly atoms: bigint;
}

function leafHash({ asset, atoms, chunk, salt, user, word }: Leaf): Promise<Bytes> {
  const name = new Uint8Array(16);
  name.set(encoder.encode(asset).subarray(0, name.length));
  const numbers = [uint(BigInt(chunk), 2), uint(atoms, 8)];
  const id = uint(BigInt(user), 4);
  return sha256(joined([encoder.encode('L'), name, fromHex(salt), id, word, ...numbers]));
}

function isProofFile(proof: LiabilityProofFile): boolean {
  return (
    typeof proof === 'object' &&
    proof !== null &&
    [proof.document, proof.signature, proof.public_key].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(proof.user_id) &&
    proof.user_id > 0 &&
    proof.user_id <= USER_MAX &&
    Array.isArray(proof.assets) &&
    proof.assets.every(
      ({ asset, chunks, salt }) =>
        typeof asset === 'string' &&
        ASSET.test(asset) &&
        typeof salt === 'string' &&
        Array.isArray(chunks) &&
        chunks.every(({ path }) => Array.isArray(path)),
    )
  );
}

function isAmount(text: unknown): boolean {
  return typeof text === 'string' && ATOMS.test(text) && BigInt(text) <= SUM_MAX;
}

function rejected(problem: LiabilityProblem, asset?: string): LiabilityResult {
  const finding = asset === undefined ? { problem } : { problem, asset };
  return { isValid: false, findings: [finding], amounts: [] };
}

function decimalText(atoms: bigint, decimals: number): string {
  const digits = `${atoms}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function uint(value: bigint, length: number): Bytes {
  const bytes = new Uint8Array(length);
  let rest = value;
  for (let at = length - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
