// Valid requests for the ledger, statements and the fee effect. A file needs a row, such as alice's
// seeded deposits.

interface LedgerWorld {
  userId(owner: 'admin' | 'alice' | 'bob'): number;
}

const ofAlice = (world: LedgerWorld) => ({ query: { user_id: world.userId('alice') } });

export const ledgerSamples = {
  getLedgerBalances: ofAlice,
  getLedgerPostings: ofAlice,
  getLedgerPostingsFile: ofAlice,
  getStatement: () => ({ query: { start_date: '2026-01-01' } }),
  getStatementOfUser: (world: LedgerWorld) => ({
    query: { start_date: '2026-01-01', user_id: world.userId('alice') },
  }),
  estimateFees: () => ({ body: { discount: 10 } }),
} as const;
