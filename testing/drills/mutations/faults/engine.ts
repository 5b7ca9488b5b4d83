// Faults in the engine's frame: time, the command window, poison, configuration.

import type { Fault } from '../fault.ts';

const APPLY = 'core/engine/apply-frame.ts';
const POISON = 'core/engine/poison.ts';
const BAND = 'core/engine/configure-market.ts';
const LIMITS = 'core/engine/configure-limits.ts';
const SWITCH = 'core/engine/set-dead-man-switch.ts';

export const ENGINE_FAULTS: readonly Fault[] = [
  {
    name: 'the command window is ignored',
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
    name: 'the command window forgets commands too early',
    file: 'core/engine/command-window.ts',
    find: 'if (this.#filled === this.capacity) this.#swapTables();',
    replace: 'if (this.#filled * 2 >= this.capacity) this.#swapTables();',
  },
  {
    name: 'a widened window accepts commands that are forgotten',
    file: 'services/sequencer/intake.ts',
    find: "    if (batch.floor < memory.forgottenThrough) return 'too_old';\n",
    replace: '',
  },
  {
    name: 'a client order id is forgotten as soon as its order closes',
    file: 'core/engine/client-order-ids.ts',
    find: 'if (this.#remembered > this.#window) this.#forget(',
    replace: 'if (this.#remembered > 0) this.#forget(',
  },
  {
    name: 'a user displaces the client order ids of others',
    file: 'core/engine/client-order-ids.ts',
    find: 'if (queues[queue + COUNT] > this.#perUserMax) this.#forget(queues[queue + FIRST]);',
    replace: 'if (queues[queue + COUNT] > this.#perUserMax) this.#forget(this.#firstRemembered);',
  },
  {
    name: 'a group displaces the client order ids of others',
    file: 'core/engine/client-order-ids.ts',
    find: '    if (!this.isFair) return oldest;\n',
    replace: '    if (this.#window > 0) return oldest;\n',
  },
  {
    name: 'old client order ids of idle users stay, and those of an active user go',
    file: 'core/engine/client-order-ids.ts',
    find: '>= CLIENT_ORDER_ID_OLD_SECONDS',
    replace: '>= 2 * CLIENT_ORDER_ID_OLD_SECONDS',
  },
  {
    name: 'a disarmed switch still counts against the share of its user',
    file: 'core/engine/dead-man-switches.ts',
    find: 'if (left > 0) this.#counts.set(user, left);',
    replace: 'if (left > 0) this.#counts.set(user, left + 1);',
  },
  {
    name: 'a fired switch stays armed',
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
    name: 'voiding does not unfreeze the channel',
    file: POISON,
    find: '    channelsFrozenBy[channel] = 0;\n',
    replace: '',
  },
  {
    name: 'a voided market trades immediately',
    file: POISON,
    find: "changeStatus(exchange, market, 'cancel-only');",
    replace: "changeStatus(exchange, market, 'full');",
  },
  {
    name: 'the status of a voided market has no event',
    file: POISON,
    find: "changeStatus(exchange, market, 'cancel-only');",
    replace: "market.status = 'cancel-only';",
  },
  {
    name: 'a switch that a poison step disarms has no event',
    file: POISON,
    find: "exchange.events.push({ kind: 'DeadManSwitchSet', command,",
    replace: "[{}].push({ kind: 'DeadManSwitchSet', command,",
  },
  {
    name: 'a moved reference of a band has no event',
    file: 'core/engine/move-reference.ts',
    find: '  if (!isChanged) return;\n',
    replace: '  if (isChanged) return;\n',
  },
  {
    name: 'a frame with rules of a later release is applied',
    file: APPLY,
    find: '  requireRunnableFrame(frame);\n',
    replace: '',
  },
  {
    name: 'a snapshot with rules of a later release is restored',
    file: 'core/engine/restore.ts',
    find: '  requireRunnable(rulesVersion);\n',
    replace: '',
  },
  {
    name: 'the rules version goes back',
    file: 'core/engine/rules-version.ts',
    find: 'if (version < exchange.rulesVersion)',
    replace: 'if (version < 0)',
  },
  {
    name: 'users with open orders take the reserve of the others',
    file: 'core/engine/place-order.ts',
    find: 'if (rulesVersion < 2 || users.ordersOpen(user) === 0) return false;',
    replace: 'if (rulesVersion < 2 || users.ordersOpen(user) >= 0) return false;',
  },
  {
    name: 'a band is set without a reference',
    file: BAND,
    find: 'exchange.rulesVersion >= 2 && bandPpm > 0 && reference === 0',
    replace: 'exchange.rulesVersion >= 2 && bandPpm > 0 && reference < 0',
  },
  {
    name: 'a switch fires before the command of its frame that arms it again',
    file: SWITCH,
    find: 'rulesVersion < 2 ? [] : frame.commands.filter',
    replace: 'rulesVersion >= 2 ? [] : frame.commands.filter',
  },
  {
    name: 'a pause counts for dead man’s switches',
    file: SWITCH,
    find: 'const deadlineMs = (before + pausedMs) as TimeMs;',
    replace: 'const deadlineMs = before;',
  },
  {
    name: 'the leader states no pause',
    file: 'services/sequencer/pause-meter.ts',
    find: '    this.#pausedMs += this.#waitedMs();\n',
    replace: '',
  },
  {
    name: 'a poison command does not advance its channel',
    file: POISON,
    find: '    exchange.channelSequences[channel]++;\n',
    replace: '',
  },
  {
    name: 'a second poison command replaces the first as the cause of a freeze',
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
    name: 'a reopened market does not activate its ready stops',
    file: BAND,
    find: '  activateStops(exchange, market);\n',
    replace: '',
  },
  {
    name: 'raising limits loses the frozen channels',
    file: LIMITS,
    find: '  exchange.channelsFrozenBy.set(channelsFrozenBy);\n',
    replace: '',
  },
  {
    name: 'raising limits loses the client order ids',
    file: 'core/engine/client-order-ids.ts',
    find: '    this.#queues.set(queues);\n',
    replace: '',
  },
  {
    name: 'a frame has no bound of visited orders',
    file: APPLY,
    find: 'if (exchange.books.visits >= visitsMax && index >= awaited) break;',
    replace: '',
  },
  {
    name: 'a capacity may shrink',
    file: LIMITS,
    find: 'if (!MAY_SHRINK.has(name) && command[name] < exchange.limits[name]) {',
    replace: 'if (MAY_SHRINK.has(name) && command[name] < 0) {',
  },
  {
    name: 'SetIssuanceCap accepts a cap below the issued amount',
    file: 'core/engine/configure-listing.ts',
    find: 'if (issuanceCapAtoms < exchange.ledger.issuedAtoms(asset))',
    replace: 'if (issuanceCapAtoms < 0n)',
  },
  {
    name: 'a market is listed although its largest order does not fit',
    file: 'core/engine/configure-listing.ts',
    find: 'if (largestBase > ATOMS_MAX || largestQuote > ATOMS_MAX) {',
    replace: 'if (largestBase > ATOMS_MAX) {',
  },
  {
    name: 'a fee rate of 100 % is accepted',
    file: 'core/engine/configure-fees.ts',
    find: 'const FEE_RATE_MAX_PPM = 500_000;',
    replace: 'const FEE_RATE_MAX_PPM = 1_000_000;',
  },
  {
    name: 'slippage goes in the wrong direction for sells',
    file: 'core/engine/market.ts',
    find: 'sells ? ticksDown(fromTicks, slippagePpm) : ticksUp(fromTicks, slippagePpm)',
    replace: 'ticksUp(fromTicks, slippagePpm)',
  },
];
