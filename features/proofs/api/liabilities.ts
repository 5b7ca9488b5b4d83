// Publications of the exchange, and a user's proof file. Amounts are whole atoms as text, because
// a verifier hashes exact integers.

import type { Static } from 'typebox';
import { field, Timestamp, Type } from '../../../protocol/wire/index.ts';

const HASH_SAMPLE = '8f990425b06e07a2b83d41226e8412f6c402aef1bef970aa5b001bc4b028149c';
const Frame = field(
  Type.Integer(),
  'The log position: the state after this frame is published.',
  4200,
);
const Document = field(
  Type.String(),
  'The signed JSON text, byte for byte. Verify before you parse it.',
  '{"format":"rialto-liabilities-1","frame":4200}',
);
const Signature = field(
  Type.String(),
  'Ed25519 signature of the document in hexadecimal.',
  `${HASH_SAMPLE}${HASH_SAMPLE}`,
);
const PublicKey = field(Type.String(), 'Ed25519 public key in hexadecimal.', HASH_SAMPLE);

export const LiabilityPublication = Type.Object(
  {
    frame: Frame,
    hash: field(
      Type.String(),
      'SHA-256 of the document. All users must see the same.',
      HASH_SAMPLE,
    ),
    document: Document,
    signature: Signature,
    public_key: PublicKey,
    created_at: Timestamp,
  },
  { title: 'LiabilityPublication' },
);
export type LiabilityPublication = Static<typeof LiabilityPublication>;

const Atoms = field(Type.String(), 'Whole atoms.', '150000000');

export const LiabilityProof = Type.Object(
  {
    frame: Frame,
    document: Document,
    signature: Signature,
    public_key: PublicKey,
    user_id: Type.Integer(),
    assets: Type.Array(
      Type.Object({
        asset: field(Type.String(), 'Symbol of the asset.', 'btc'),
        salt: field(Type.String(), 'Makes your leaves unguessable.', HASH_SAMPLE),
        chunks: field(
          Type.Array(
            Type.Object({
              atoms: Atoms,
              place: field(Type.Integer(), 'Position of the leaf in the tree.', 6),
              path: Type.Array(
                Type.Object({
                  hash: field(Type.String(), 'SHA-256 in hexadecimal.', HASH_SAMPLE),
                  atoms: Atoms,
                }),
              ),
            }),
          ),
          'Parts of your balance, one leaf each.',
        ),
      }),
    ),
  },
  { title: 'LiabilityProof' },
);
export type LiabilityProof = Static<typeof LiabilityProof>;
