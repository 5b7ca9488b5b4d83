// A custody file with one network and two coins, signed by two approvers, and one with payments.
// Only tests import it.

import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { createApproverKey, signText } from './approver-keys.ts';
import { type CustodyFile, parseCustodyFile, signedText } from './custody-file.ts';

export const WORDS_FOR_TEST = 'test test test test test test test test test test test junk';
export const ACCOUNT_FOR_TEST = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS_FOR_TEST)).derive(
  "m/44'/60'/0'",
);

export const TOKEN_FOR_TEST = `0x${'da'.repeat(20)}`;

export const KEYS_FOR_TEST = { a1: createApproverKey(), a2: createApproverKey() };

// biome-ignore lint/suspicious/noExplicitAny: tests change single fields to wrong values.
export type Document = any;

export function documentForTest(): Document {
  return {
    exchange: 'demo',
    version: 1,
    validUntil: '2036-01-01',
    networks: {
      eth: {
        family: 'evm',
        chainId: 31337,
        final: 'finalized',
        from: 100,
        xpub: ACCOUNT_FOR_TEST.publicExtendedKey,
      },
    },
    coins: [
      {
        asset: 3,
        symbol: 'eth',
        scale: 8,
        network: 'eth',
        digits: 18,
        credit: { min: '0.01', people: '10', hour: '25' },
      },
      {
        asset: 4,
        symbol: 'usdt',
        scale: 6,
        network: 'eth',
        contract: TOKEN_FOR_TEST,
        digits: 6,
        credit: { min: '1', people: '5000', hour: '20000' },
      },
    ],
    approvers: { a1: KEYS_FOR_TEST.a1.publicKey, a2: KEYS_FOR_TEST.a2.publicKey },
    quorum: 2,
  };
}

export const COLD_FOR_TEST = `0x${'c0'.repeat(20)}`;

export interface PayersForTest {
  readonly hot: string;
  readonly signer: string;
  readonly witnesses: readonly string[];
}

/** Pays up to 2 ETH without approvers, 5 ETH per hour and 20 ETH per day. */
export function payingDocumentForTest({ hot, signer, witnesses }: PayersForTest): Document {
  const document = documentForTest();
  const payments = { hot, cold: [COLD_FOR_TEST], maxFeeGwei: 200, feesOfADay: '0.5' };
  Object.assign(document.networks.eth, { payments });
  const [eth, usdt] = document.coins;
  const people = (one: string, two: string) => [
    { from: one, approvers: 1 },
    { from: two, approvers: 2 },
  ];
  eth.pay = { people: people('2', '50'), hour: '5', day: '20' };
  usdt.pay = { people: people('2000', '50000'), hour: '5000', day: '20000' };
  return { ...document, signer, witnesses };
}

export function signedForTest(
  document: Document,
  by: readonly ('a1' | 'a2')[] = ['a1', 'a2'],
): string {
  const text = signedText(document);
  const signatures = by.map((name) => [name, signText(text, KEYS_FOR_TEST[name].privateKey)]);
  return JSON.stringify({ document, signatures: Object.fromEntries(signatures) }, undefined, 2);
}

export function custodyFileForTest(): CustodyFile {
  return parseCustodyFile(signedForTest(documentForTest()));
}
