// Valid requests for the ledger and for the effect of fees. A file needs a row: the seeded deposits
// of alice.

interface LedgerWorld {
  userId(owner: 'admin' | 'alice' | 'bob'): number;
}

const ofAlice = (world: LedgerWorld) => ({ query: { user_id: world.userId('alice') } });

export const ledgerSamples = {
  getLedgerBalances: ofAlice,
  getLedgerPostings: ofAlice,
  getLedgerPostingsFile: ofAlice,
  estimateFees: () => ({ body: { discount: 10 } }),
} as const;
