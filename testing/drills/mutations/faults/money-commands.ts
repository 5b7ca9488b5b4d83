// Faults in commands that move money: channels, deposits, transfers, withdrawals, fees.

import type { FaultTable } from '../fault.ts';

export const MONEY_COMMAND_FAULTS: FaultTable = {
  'core/engine/channels.ts': {
    'a channel accepts a repeated sequence': {
      in: 'advanceChannel',
      drop: 'channel_sequence_already_seen',
    },
    'a channel accepts a gap': { in: 'advanceChannel', drop: 'channel_sequence_has_gap' },
    'a frozen channel accepts commands': { in: 'advanceChannel', drop: 'channelsFrozenBy' },
    'the last channel does not exist': {
      in: 'advanceChannel',
      replace: ['channel >', 'channel >='],
    },
  },
  'core/engine/money-commands.ts': {
    'a deposit of exactly the issuable amount is rejected': {
      in: 'creditFromOutside',
      replace: ['>', '>='],
    },
    'a transfer to the sender is allowed': { in: 'transferAsset', drop: 'users_must_be_different' },
    'the fee of a withdrawal is not put on hold': { in: 'openWithdrawal', replace: ['>', '<'] },
    'a canceled withdrawal keeps its fee': { in: 'cancelWithdrawal', replace: ['>', '<'] },
    'amount and fee in one asset are checked separately': {
      in: 'openWithdrawal.ofAsset',
      value: 'amountAtoms',
    },
    'a withdrawal can be completed twice': { in: 'completeWithdrawal', drop: 'closeWithdrawal' },
    'one withdrawal above the limit is opened': {
      in: 'openWithdrawal',
      replace: ['size >=', 'size >'],
    },
    'one user above the capacity is credited': {
      in: 'refuseForAccounts',
      remove: '+ newUsers.length',
    },
  },
  'core/engine/trade-directly.ts': {
    'users of one group trade directly': { in: 'refuseForm', replace: ['!== 0', '< 0'] },
    'a direct trade swaps the fees of its sides': {
      in: 'executeDirectly',
      replace: ['makerFee : takerFee', 'takerFee : makerFee'],
    },
    'a direct trade does not check the buyer’s balance': {
      in: 'tradeDirectly',
      replace: ['< quote', '< 0n'],
    },
  },
};
