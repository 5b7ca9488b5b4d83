// The commands that each identity may send. The sequencer asks before a command can enter the log.
// A new kind of command does not compile until it has its row here.

import type { Command } from '../../core/messages/index.ts';
import {
  IDENTITIES,
  type IdentityMode,
  type IdentityName,
  SANDBOX_IDENTITY,
  type ServiceIdentity,
} from './identities.ts';

type Kind = Command['kind'];
type Senders = readonly ServiceIdentity[];

const MONEY: Senders = ['outbox-dispatcher'];
const CONFIGURATION: Senders = ['outbox-dispatcher'];
const TRADING: Senders = ['gateway-http', 'gateway-admin'];

/** Identities that can send each kind of command. */
export const COMMAND_SENDERS: Readonly<Record<Kind, Senders>> = {
  // The dispatcher places and cancels on behalf of users, as operators asked.
  PlaceOrder: [...TRADING, 'outbox-dispatcher'],
  CancelOrder: [...TRADING, 'outbox-dispatcher'],
  CancelOrderByClientId: TRADING,
  // A user who freezes their account has all orders canceled.
  CancelAllOrders: [...TRADING, 'gateway-identity'],
  AmendOrder: TRADING,
  ExecuteQuote: TRADING,
  CheckOrder: TRADING,
  SetDeadManSwitch: [...TRADING, 'gateway-websocket', 'gateway-ws-admin'],
  TradeDirectly: MONEY,
  CreditDeposit: MONEY,
  MintAsset: MONEY,
  BurnAsset: MONEY,
  TransferAsset: MONEY,
  OpenWithdrawal: MONEY,
  CompleteWithdrawal: MONEY,
  CancelWithdrawal: MONEY,
  SettleFees: MONEY,
  ListAsset: CONFIGURATION,
  SetIssuanceCap: CONFIGURATION,
  ListMarket: CONFIGURATION,
  SetMarketStatus: CONFIGURATION,
  SetMarketFees: CONFIGURATION,
  SetUserFees: CONFIGURATION,
  SetUserGroup: CONFIGURATION,
  SetPriceBand: CONFIGURATION,
  SetLimits: CONFIGURATION,
  VoidCommand: CONFIGURATION,
  SetRulesVersion: CONFIGURATION,
  AnchorAudit: CONFIGURATION,
};

/** Cancels in the name of an operator, which no user can refuse. */
export const OPERATOR_SENDERS: Senders = ['gateway-admin', 'outbox-dispatcher'];

/** The channels of the outbox: money commands on any other channel are refused. */
export const MONEY_CHANNELS: readonly number[] = [11, 12, 13, 14];

/** The channel of the registry's statements: only ends of withdrawal 0, which does not exist. */
const STATEMENTS = 14;
const ENDS: ReadonlySet<Kind> = new Set(['CompleteWithdrawal', 'CancelWithdrawal'] as const);

/**
 * Returns whether the sender can send the command. Called once for a batch, then for each command.
 */
export type CommandAuthority = (sender: string) => (command: Command) => boolean;

const refuseAll = () => false;
const acceptAll = () => true;

export function commandAuthority(mode: IdentityMode): CommandAuthority {
  const rules = new Map<string, (command: Command) => boolean>(
    IDENTITIES.map((identity) => [identity, ruleOf(identity)]),
  );
  if (mode === 'development') rules.set(SANDBOX_IDENTITY, acceptAll);
  return (sender) => rules.get(sender) ?? refuseAll;
}

function ruleOf(identity: ServiceIdentity): (command: Command) => boolean {
  const kinds: ReadonlySet<string> = new Set(kindsOf(identity));
  if (kinds.size === 0) return refuseAll;
  const isOperator = OPERATOR_SENDERS.includes(identity);
  const movesMoney = kindsOf(identity).some((kind) => COMMAND_SENDERS[kind] === MONEY);
  return (command) => {
    const { kind } = command;
    if (!kinds.has(kind)) return false;
    if (kind === 'CancelOrder' || kind === 'CancelAllOrders') {
      return isOperator || !command.byOperator;
    }
    // Asked only of senders of money: it is a slow question, and asked for every command.
    if (!movesMoney || !('channel' in command)) return true;
    if (command.channel !== STATEMENTS) return MONEY_CHANNELS.includes(command.channel);
    return ENDS.has(kind) && 'withdrawal' in command && command.withdrawal === 0;
  };
}

/** Kinds of command that the identity can send. */
export function kindsOf(identity: IdentityName): readonly Kind[] {
  const rows = Object.entries(COMMAND_SENDERS) as [Kind, readonly IdentityName[]][];
  return rows.filter(([, senders]) => senders.includes(identity)).map(([kind]) => kind);
}
