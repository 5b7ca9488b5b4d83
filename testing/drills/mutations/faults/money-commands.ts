// Faults in commands that move money: channels, deposits, transfers, withdrawals, fees.

import type { Fault } from '../fault.ts';

const CHANNELS = 'core/engine/channels.ts';
const MONEY = 'core/engine/money-commands.ts';
const DIRECT = 'core/engine/trade-directly.ts';

export const MONEY_COMMAND_FAULTS: readonly Fault[] = [
  {
    name: 'a channel accepts a repeated sequence',
    file: CHANNELS,
    find: "  if (channelSequence < next) return 'channel_sequence_already_seen';\n",
    replace: '',
  },
  {
    name: 'a channel accepts a gap',
    file: CHANNELS,
    find: "  if (channelSequence > next) return 'channel_sequence_has_gap';\n",
    replace: '',
  },
  {
    name: 'a frozen channel accepts commands',
    file: CHANNELS,
    find: "  if (exchange.channelsFrozenBy[channel] !== 0) return 'channel_is_frozen';\n",
    replace: '',
  },
  {
    name: 'the last channel does not exist',
    file: CHANNELS,
    find: 'channel > exchange.limits.channelsMax',
    replace: 'channel >= exchange.limits.channelsMax',
  },
  {
    name: 'a deposit of exactly the issuable amount is refused',
    file: MONEY,
    find: 'amountAtoms > exchange.ledger.issuableAtoms(asset)',
    replace: 'amountAtoms >= exchange.ledger.issuableAtoms(asset)',
  },
  {
    name: 'a transfer to the sender is allowed',
    file: MONEY,
    find: "  if (sender === receiver) return 'users_must_be_different';\n",
    replace: '',
  },
  {
    name: 'the fee of a withdrawal is not held',
    file: MONEY,
    find: 'if (feeAtoms > 0n) exchange.ledger.hold(',
    replace: 'if (feeAtoms < 0n) exchange.ledger.hold(',
  },
  {
    name: 'a cancelled withdrawal keeps its fee',
    file: MONEY,
    find: 'if (feeAtoms > 0n) exchange.ledger.release(',
    replace: 'if (feeAtoms < 0n) exchange.ledger.release(',
  },
  {
    name: 'amount and fee in one asset are checked separately',
    file: MONEY,
    find: 'asset === feeAsset ? amountAtoms + feeAtoms : amountAtoms',
    replace: 'amountAtoms',
  },
  {
    name: 'a withdrawal may be completed twice',
    file: MONEY,
    find: `closeWithdrawal(exchange, withdrawal, user);
  const { command: cause } = exchange;
  exchange.events.push({
    kind: 'WithdrawalCompleted',`,
    replace: `const { command: cause } = exchange;
  exchange.events.push({
    kind: 'WithdrawalCompleted',`,
  },
  {
    name: 'one withdrawal above the limit is opened',
    file: MONEY,
    find: 'exchange.withdrawals.size >= limits.withdrawalsMax',
    replace: 'exchange.withdrawals.size > limits.withdrawalsMax',
  },
  {
    name: 'one user above the capacity is credited',
    file: MONEY,
    find: 'users.size + newUsers.length > limits.usersMax',
    replace: 'users.size > limits.usersMax',
  },
  {
    name: 'users of one group trade directly',
    file: DIRECT,
    find: 'if (group !== 0 && group === books.groups[users.find(trade.taker)]) {',
    replace: 'if (group < 0 && group === books.groups[users.find(trade.taker)]) {',
  },
  {
    name: 'a direct trade swaps the fees of its sides',
    file: DIRECT,
    find: 'ledger.fees(market.base), takerSells ? makerFee : takerFee)',
    replace: 'ledger.fees(market.base), takerSells ? takerFee : makerFee)',
  },
  {
    name: 'a direct trade does not check the buyer’s balance',
    file: DIRECT,
    find: 'accounts.availableAtoms(accounts.find(buyer, market.quote)) < quote',
    replace: 'accounts.availableAtoms(accounts.find(buyer, market.quote)) < 0n',
  },
];
