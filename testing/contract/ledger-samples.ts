// Valid requests for the ledger and the fee effect. A file needs a row, such as alice's seeded
// deposits.

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
