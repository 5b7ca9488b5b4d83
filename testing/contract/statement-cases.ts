// Contract cases for account statements, statistics and proofs.

import type { RouteName } from '../../protocol/index.ts';
import { type ContractCase, query, refused } from './contract-case.ts';

const cases: readonly ContractCase[] = [
  { what: 'a CSV file', status: 202, change: query({ format: 'csv' }), says: 'opening_balance' },
  { what: 'a PDF file', status: 202, change: query({ format: 'pdf' }), says: '%PDF-1.4' },
  refused('an end before the start', query({ end_date: '2000-01-01' }), 'before'),
];

export const statementCases: Partial<Record<RouteName, readonly ContractCase[]>> = {
  getLiabilityProof: [refused('no frame', query({ frame: 0 }), 'frame')],
  getTradingVolume: [refused('no date', query({ from: 'x' }), 'from')],
  getProfitAndLoss: [refused('another period', query({ period: '8' }), 'period')],
  getStatement: cases,
  getStatementOfUser: [
    ...cases,
    refused('unknown user', query({ user_id: 999_999 }), 'User not found'),
  ],
};
