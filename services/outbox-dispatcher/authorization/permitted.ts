// Decides whether the role that appended an outbox row is allowed to send its command to the
// engine. Pure: the facts are read first. A row without an explanation is a forgery or a bug.

import { EMAIL_NETWORK, type PlayMoney } from '../../../features/payments/index.ts';
import { unpaidAtoms } from '../../../features/referral/index.ts';
import { destinationHash } from '../../../infra/signer-link/index.ts';
import {
  type EngineCommandRow,
  isStatement,
  type OutboxCommand,
  type OutboxWriter,
  type WaitingRow,
} from '../../../platform/outbox/index.ts';
import type { OutboxFacts } from './read-facts.ts';

/**
 * policy: the withdrawal policy decides, with current amounts. limits: the custody file decides.
 */
export type Permission = 'send' | 'policy' | 'limits' | Forgery;

export type Forgery =
  | 'record_unreadable'
  | 'writer_unknown'
  | 'command_not_permitted'
  | 'request_differs'
  | 'deposit_differs'
  | 'stake_differs'
  | 'payout_differs';

export interface Judged {
  readonly row: Pick<WaitingRow, 'command' | 'isUnreadable' | 'writer'>;
  readonly facts: OutboxFacts;
  /** Account that pays referrers; undefined if referral is off. */
  readonly distributor: number | undefined;
  /** Undefined unless the exchange is a demo that gives play money. */
  readonly playMoney: PlayMoney | undefined;
}

export function permissionOf(judged: Judged): Permission {
  const { facts, row } = judged;
  const { command, isUnreadable, writer } = row;
  if (isUnreadable) return 'record_unreadable';
  if (writer === 'unknown') return 'writer_unknown';
  if (writer === 'owner' || (writer === 'admin' && facts.isAct)) return 'send';
  if (writer === 'dispatcher') return isStatement(command) ? 'send' : 'command_not_permitted';
  if (writer === 'watcher') {
    return command.kind === 'CreditDeposit' ? judgeCredit(command, facts) : 'command_not_permitted';
  }
  switch (command.kind) {
    case 'OpenWithdrawal':
      return writer === 'notifier' ? 'command_not_permitted' : judgeOpening(command, facts);
    case 'CancelWithdrawal':
      return judgeCancel(command, writer, facts);
    case 'TransferAsset':
      return judgeTransfer(command, writer, judged);
    default:
      return 'command_not_permitted';
  }
}

/** Decides the same for a repeatable command: configuration, and orders on behalf of users. */
export function commandPermission(
  { command, writer }: Pick<EngineCommandRow, 'command' | 'writer'>,
  isAct: boolean,
): 'send' | Forgery {
  if (command === undefined) return 'record_unreadable';
  if (writer === 'unknown') return 'writer_unknown';
  const isOwnJob = writer === 'notifier' && command.kind === 'AnchorAudit';
  const isSent = writer === 'owner' || (writer === 'admin' && isAct) || isOwnJob;
  return isSent ? 'send' : 'command_not_permitted';
}

type CommandOf<Kind extends OutboxCommand['kind']> = Extract<OutboxCommand, { kind: Kind }>;

function judgeOpening(
  command: CommandOf<'OpenWithdrawal'>,
  { withdrawal: request }: OutboxFacts,
): Permission {
  const { amountAtoms, asset, destination, feeAsset, feeAtoms, user, withdrawal } = command;
  const isSame =
    request !== null &&
    request.kind === 'withdrawal' &&
    request.state === 'opening' &&
    request.isNamedRight &&
    request.id === `${withdrawal}` &&
    request.user === `${user}` &&
    request.asset === `${asset}` &&
    request.atoms === `${amountAtoms}` &&
    request.feeAsset === `${feeAsset}` &&
    request.feeAtoms === `${feeAtoms}` &&
    destination === destinationHash(withdrawal, request.network ?? '', request.address);
  return isSame ? 'policy' : 'request_differs';
}

/** Exactly the final deposits that are recorded for the request. */
function judgeCredit(
  { amountAtoms, asset, user }: CommandOf<'CreditDeposit'>,
  { chainAtoms, deposit }: OutboxFacts,
): Permission {
  const isSame =
    deposit?.kind === 'deposit' &&
    deposit.state === 'crediting' &&
    deposit.user === `${user}` &&
    deposit.asset === `${asset}` &&
    deposit.atoms === `${amountAtoms}` &&
    chainAtoms === deposit.atoms;
  return isSame ? 'limits' : 'deposit_differs';
}

function judgeCancel(
  { withdrawal }: CommandOf<'CancelWithdrawal'>,
  writer: OutboxWriter,
  { withdrawal: request }: OutboxFacts,
): Permission {
  const state = writer === 'notifier' ? 'expiring' : 'canceling';
  return request?.id === `${withdrawal}` && request.state === state ? 'send' : 'request_differs';
}

function judgeTransfer(
  command: CommandOf<'TransferAsset'>,
  writer: OutboxWriter,
  { distributor, facts, playMoney }: Judged,
): Permission {
  const { payout, stake, withdrawal } = facts;
  if (withdrawal !== null && writer !== 'notifier') return judgeSending(command, facts, playMoney);
  if (stake !== null) return isStakeOf(command, writer, stake) ? 'send' : 'stake_differs';
  if (payout !== null && writer !== 'notifier') {
    return isPayoutOf(command, payout, distributor) ? 'send' : 'payout_differs';
  }
  return 'command_not_permitted';
}

/**
 * Within an account family, from the faucet of a demo exchange, or to the owner of an email
 * address, which counts like a withdrawal.
 */
function judgeSending(
  command: CommandOf<'TransferAsset'>,
  facts: OutboxFacts,
  playMoney: PlayMoney | undefined,
): Permission {
  const { amountAtoms, asset, receiver, sender } = command;
  const { deposit, isFamily, withdrawal } = facts;
  const isSame =
    withdrawal?.kind === 'transfer' &&
    withdrawal.state === 'executing' &&
    withdrawal.isNamedRight &&
    withdrawal.user === `${sender}` &&
    withdrawal.asset === `${asset}` &&
    withdrawal.atoms === `${amountAtoms}` &&
    deposit?.kind === 'transfer' &&
    deposit.state === 'crediting' &&
    deposit.user === `${receiver}` &&
    deposit.asset === `${asset}` &&
    deposit.atoms === `${amountAtoms}`;
  if (!isSame) return 'request_differs';
  if (isFamily && withdrawal.network === null) return 'send';
  if (withdrawal.network === null && isGift(command, facts, playMoney)) return 'send';
  return withdrawal.network === EMAIL_NETWORK ? 'policy' : 'request_differs';
}

/** The faucet's amount of the asset, and nothing else in 24 hours. */
function isGift(
  { amountAtoms, asset, sender }: CommandOf<'TransferAsset'>,
  { givenAtoms }: OutboxFacts,
  playMoney: PlayMoney | undefined,
): boolean {
  const atoms = playMoney?.gifts.get(asset)?.atoms;
  return sender === playMoney?.faucet && amountAtoms === atoms && givenAtoms === `${atoms}`;
}

/** Operators pay into a pool's reserve; the notifier's jobs pay from its accounts. */
function isStakeOf(
  { amountAtoms, asset, receiver, sender }: CommandOf<'TransferAsset'>,
  writer: OutboxWriter,
  stake: NonNullable<OutboxFacts['stake']>,
): boolean {
  const isMoved =
    stake.sender === `${sender}` &&
    stake.receiver === `${receiver}` &&
    stake.asset === `${asset}` &&
    stake.atoms === `${amountAtoms}`;
  if (!isMoved) return false;
  if (writer === 'notifier') {
    return stake.kind !== 'open' && [stake.account, stake.reserve].includes(stake.sender);
  }
  return (
    stake.kind === 'open' &&
    stake.state === 'opening' &&
    stake.user === stake.sender &&
    stake.reserve === stake.receiver &&
    stake.poolAsset === stake.asset &&
    stake.principal === stake.atoms
  );
}

function isPayoutOf(
  { amountAtoms, asset, receiver, sender }: CommandOf<'TransferAsset'>,
  payout: NonNullable<OutboxFacts['payout']>,
  distributor: number | undefined,
): boolean {
  return (
    sender === distributor &&
    payout.distributor === `${sender}` &&
    payout.referrer === `${receiver}` &&
    payout.asset === `${asset}` &&
    payout.atoms === `${amountAtoms}` &&
    unpaidAtoms(BigInt(payout.numerator), BigInt(payout.paid)) >= 0n
  );
}
