// Proofs of liabilities: trees, publications and the proofs of users.

export { NODE_BYTES, SEED_BYTES } from './leaf.ts';
export {
  type AccountColumns,
  type AccountRecord,
  buildLiabilityTree,
  type LiabilityTree,
  recordsOf,
  type WordDigests,
  writeLeaves,
} from './liability-tree.ts';
export {
  FORMAT,
  type HouseAmount,
  type PublicationDocument,
  type PublishedAsset,
  publicationFile,
  publicationHash,
} from './publication.ts';
export {
  dropOldTrees,
  findPublication,
  insertBlock,
  insertPublication,
  insertRecords,
  liabilityKeyBound,
  liabilitySeedBound,
  listPublications,
  openLiabilitySeed,
  openPublicationSigner,
  type StoredPublication,
} from './publications.ts';
export { proveLiabilities, readLeafBlocks, readRecordBlocks } from './user-proof.ts';
