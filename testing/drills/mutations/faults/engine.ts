// Faults in what holds the engine together: time, remembered commands, poison, configuration.

import type { Fault } from '../fault.ts';

const APPLY = 'core/engine/apply-frame.ts';
const POISON = 'core/engine/poison.ts';
const BAND = 'core/engine/configure-market.ts';
const LIMITS = 'core/engine/configure-limits.ts';
const SWITCH = 'core/engine/set-dead-man-switch.ts';

export const ENGINE_FAULTS: readonly Fault[] = [
  {
    name: 'the window of commands is not consulted',
    file: APPLY,
    find: 'if (seen !== NONE) {',
    replace: 'if (seen < NONE) {',
  },
  {
    name: 'time may go back',
    file: APPLY,
    find: 'if (frame.timeMs > exchange.timeMs) exchange.timeMs',
    replace: 'exchange.timeMs',
  },
  {
    name: 'the refusal of a used client order id does not name the order that has it',
    file: APPLY,
    find: "if (refusal !== 'client_order_id_already_used') return NONE as OrderNumber;",
    replace: "if (refusal !== 'none') return NONE as OrderNumber;",
  },
  {
    name: 'a torn exchange is used again',
    file: APPLY,
    find: '  exchange.torn = true;\n',
    replace: '',
  },
  {
    name: 'the window forgets commands before their time',
    file: 'core/engine/command-window.ts',
    find: 'if (this.#filled === this.capacity) this.#swapTables();',
    replace: 'if (this.#filled * 2 >= this.capacity) this.#swapTables();',
  },
  {
    name: 'a client order id is forgotten as soon as its order closes',
    file: 'core/engine/client-order-ids.ts',
    find: 'if (this.#remembered === this.#window) this.#forget();',
    replace: 'if (this.#remembered >= 0) this.#forget();',
  },
  {
    name: 'the switch that fires stays armed',
    file: SWITCH,
    find: '    switches.disarm(user, key);\n    const only',
    replace: '    const only',
  },
  {
    name: 'one switch more than the limit is armed',
    file: SWITCH,
    find: 'switches.size >= limits.deadManSwitchesMax',
    replace: 'switches.size > limits.deadManSwitchesMax',
  },
  {
    name: 'switches fire by user and not by deadline',
    file: 'core/engine/dead-man-switches.ts',
    find: 'one.deadlineMs - other.deadlineMs || one.user - other.user',
    replace: 'one.user - other.user',
  },
  {
    name: 'a switch fires only after its deadline',
    file: 'core/engine/dead-man-switches.ts',
    find: 'one.deadlineMs <= nowMs',
    replace: 'one.deadlineMs < nowMs',
  },
  {
    name: 'voiding forgets the channel',
    file: POISON,
    find: '    channelsFrozenBy[channel] = 0;\n',
    replace: '',
  },
  {
    name: 'voiding lets the market trade at once',
    file: POISON,
    find: "    market.status = 'cancel-only';\n",
    replace: '',
  },
  {
    name: 'a poison command does not count on its channel',
    file: POISON,
    find: '    exchange.channelSequences[channel]++;\n',
    replace: '',
  },
  {
    name: 'a second poison command takes over the frozen market',
    file: POISON,
    find: 'if (market !== undefined && market.frozenBy === 0) market.frozenBy = number;',
    replace: 'if (market !== undefined) market.frozenBy = number;',
  },
  {
    name: 'a new band without a reference restarts the window',
    file: BAND,
    find: 'isNew ? exchange.timeMs : market.referenceSetMs',
    replace: 'exchange.timeMs',
  },
  {
    name: 'the reference follows the price one millisecond late',
    file: BAND,
    find: 'exchange.timeMs - market.referenceSetMs < exchange',
    replace: 'exchange.timeMs - market.referenceSetMs <= exchange',
  },
  {
    name: 'a market that opens again does not go on with its stops',
    file: BAND,
    find: '  activateStops(exchange, market);\n',
    replace: '',
  },
  {
    name: 'raised limits leave the frozen channels behind',
    file: LIMITS,
    find: '  exchange.channelsFrozenBy = grown.channelsFrozenBy;\n',
    replace: '',
  },
  {
    name: 'raised limits leave the client order ids behind',
    file: LIMITS,
    find: '  exchange.clientOrderIds = grown.clientOrderIds;\n',
    replace: '',
  },
  {
    name: 'a capacity may shrink',
    file: LIMITS,
    find: 'if (!MAY_SHRINK.has(name) && command[name] < exchange.limits[name]) {',
    replace: 'if (MAY_SHRINK.has(name) && command[name] < 0) {',
  },
  {
    name: 'the cap may be set below what is issued',
    file: 'core/engine/configure-listing.ts',
    find: 'if (issuanceCapAtoms < exchange.ledger.issuedAtoms(asset))',
    replace: 'if (issuanceCapAtoms < 0n)',
  },
  {
    name: 'a market is listed whose largest order does not fit',
    file: 'core/engine/configure-listing.ts',
    find: 'if (largestBase > ATOMS_MAX || largestQuote > ATOMS_MAX) {',
    replace: 'if (largestBase > ATOMS_MAX) {',
  },
  {
    name: 'a fee rate may be all that is received',
    file: 'core/engine/configure-fees.ts',
    find: 'const FEE_RATE_MAX_PPM = 500_000;',
    replace: 'const FEE_RATE_MAX_PPM = 1_000_000;',
  },
  {
    name: 'slippage is measured in the wrong direction for sells',
    file: 'core/engine/market.ts',
    find: 'sells ? ticksDown(fromTicks, slippagePpm) : ticksUp(fromTicks, slippagePpm)',
    replace: 'ticksUp(fromTicks, slippagePpm)',
  },
];
