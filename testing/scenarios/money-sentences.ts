// Sentences about money: deposits, mint and burn, transfers, withdrawals, settled fees. Each sends
// a command on a channel with the next sequence.

import { type Sentence, sentence } from './sentence.ts';
import { actorOf, assetOf, atomsOf, nextId, positionOf, type Stage } from './stage.ts';

const POSITION = '(?: \\((?<position>channel.*|sequence.*)\\))?';

export const MONEY_SENTENCES: readonly Sentence[] = [
  sentence(`<user:who> deposits <amount:amount> <asset:asset>${POSITION}`, (stage, words) => ({
    command: {
      ...nextId(stage),
      ...positionOf(stage, words.position),
      kind: 'CreditDeposit',
      user: actorOf(stage, words.who!),
      ...amountIn(stage, words.amount!, words.asset!),
      reference: 'story',
    },
  })),
  sentence(
    `operator mints <amount:amount> <asset:asset> for <user:who>${POSITION}`,
    (stage, words) => ({
      command: {
        ...nextId(stage),
        ...positionOf(stage, words.position),
        kind: 'MintAsset',
        user: actorOf(stage, words.who!),
        ...amountIn(stage, words.amount!, words.asset!),
        reference: 'story',
      },
    }),
  ),
  sentence(
    `operator burns <amount:amount> <asset:asset> of <user:who>${POSITION}`,
    (stage, words) => ({
      command: {
        ...nextId(stage),
        ...positionOf(stage, words.position),
        kind: 'BurnAsset',
        user: actorOf(stage, words.who!),
        ...amountIn(stage, words.amount!, words.asset!),
        reference: 'story',
      },
    }),
  ),
  sentence(
    `<user:who> sends <amount:amount> <asset:asset> to <user:receiver>${POSITION}`,
    (stage, words) => ({
      command: {
        ...nextId(stage),
        ...positionOf(stage, words.position),
        kind: 'TransferAsset',
        sender: actorOf(stage, words.who!),
        receiver: actorOf(stage, words.receiver!),
        ...amountIn(stage, words.amount!, words.asset!),
        reference: 'story',
      },
    }),
  ),
  sentence(
    '<user:who> withdraws <amount:amount> <asset:asset> as <word:name>' +
      `(?: for a fee of <amount:fee> <asset:feeAsset>)?${POSITION}`,
    (stage, words) => {
      const fee = amountIn(stage, words.fee ?? '0', words.feeAsset ?? words.asset!);
      return {
        command: {
          ...nextId(stage),
          ...positionOf(stage, words.position),
          kind: 'OpenWithdrawal',
          withdrawal: withdrawalOf(words.name!),
          user: actorOf(stage, words.who!),
          ...amountIn(stage, words.amount!, words.asset!),
          feeAsset: fee.asset,
          feeAtoms: fee.amountAtoms,
          destination: '',
        },
      };
    },
  ),
  sentence(`withdrawal <word:name> completes${POSITION}`, (stage, { name, position }) => ({
    command: {
      ...nextId(stage),
      ...positionOf(stage, position),
      kind: 'CompleteWithdrawal',
      withdrawal: withdrawalOf(name!),
      reference: 'story',
    },
  })),
  sentence(`withdrawal <word:name> is canceled${POSITION}`, (stage, { name, position }) => ({
    command: {
      ...nextId(stage),
      ...positionOf(stage, position),
      kind: 'CancelWithdrawal',
      withdrawal: withdrawalOf(name!),
    },
  })),
  sentence(`fees in <asset:asset> go to <user:who>${POSITION}`, (stage, words) => ({
    command: {
      ...nextId(stage),
      ...positionOf(stage, words.position),
      kind: 'SettleFees',
      asset: assetOf(stage, words.asset!).id,
      user: actorOf(stage, words.who!),
    },
  })),
];

function amountIn(stage: Stage, amount: string, symbol: string) {
  const asset = assetOf(stage, symbol);
  return { asset: asset.id, amountAtoms: atomsOf(asset, amount) };
}

function withdrawalOf(name: string): number {
  const match = /^w([1-9]\d*)$/.exec(name);
  if (match === null) throw new Error(`'${name}' is not a withdrawal's name like w1`);
  return Number(match[1]);
}
