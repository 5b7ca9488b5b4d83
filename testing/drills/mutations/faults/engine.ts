// Faults in the engine's frame: time, the command window, poison, configuration.

import type { FaultTable } from '../fault.ts';

export const ENGINE_FAULTS: FaultTable = {
  'core/engine/apply-frame.ts': {
    'the command window is ignored': { in: 'applyOnce', replace: ['!==', '<'] },
    'time can go back': { in: 'applyFrame', remove: 'if (frame.timeMs > exchange.timeMs)' },
    'the refusal of a used client order ID does not name its order': {
      in: 'orderNamedBy',
      replace: ['client_order_id_already_used', 'none'],
    },
    'a torn exchange is reused': { in: 'applyFrame', drop: 'torn = true' },
    'a frame with rules of a later release is applied': {
      in: 'applyFrame',
      drop: 'requireRunnableFrame',
    },
    'a frame has no limit on visited orders': { in: 'applyFrame', drop: 'visitsMax' },
  },
  'core/engine/command-window.ts': {
    'the command window forgets commands too early': {
      in: 'CommandWindow.remember',
      replace: ['filled ===', 'filled * 2 >='],
    },
  },
  'services/sequencer/intake.ts': {
    'a widened window accepts forgotten commands': {
      in: 'Intake.offer',
      drop: 'forgottenThrough',
    },
  },
  'core/engine/client-order-ids.ts': {
    'a client order ID is forgotten as soon as its order closes': {
      in: 'ClientOrderIds.remember',
      replace: ['this.#window', '0'],
    },
    "a user displaces other users' client order IDs": {
      in: 'ClientOrderIds.remember',
      replace: ['(queues[queue + FIRST])', '(this.#firstRemembered)'],
    },
    "a group displaces other users' client order IDs": {
      in: 'ClientOrderIds.#mostDispensable',
      replace: ['!this.isFair', 'this.#window > 0'],
    },
    'old client order IDs of idle users are kept, and those of an active user are removed': {
      in: 'ClientOrderIds.#mostDispensable',
      replace: ['>=', '>= 2 *'],
    },
    'raising limits loses the client order IDs': { in: 'ClientOrderIds.grow', drop: 'set' },
  },
  'core/engine/dead-man-switches.ts': {
    "a disarmed switch still counts against its user's share": {
      in: 'DeadManSwitches.disarm',
      replace: [', left', ', left + 1'],
    },
    'switches fire by user instead of deadline': {
      in: 'earlierFirst',
      remove: 'one.deadlineMs - other.deadlineMs ||',
    },
    'a switch fires only after its deadline': { in: 'DeadManSwitches.due', replace: ['<=', '<'] },
  },
  'core/engine/set-dead-man-switch.ts': {
    'a fired switch stays armed': { in: 'fireDeadManSwitches', drop: 'disarm' },
    'one switch more than the limit is armed': {
      in: 'setDeadManSwitch',
      replace: ['size >=', 'size >'],
    },
    'a switch fires before the command in its frame that arms it again': {
      in: 'dueSwitches',
      replace: ['< 2', '>= 2'],
    },
    'a pause counts for dead man’s switches': {
      in: 'postponeSwitches.deadlineMs',
      value: 'before',
    },
  },
  'core/engine/poison.ts': {
    'voiding does not unfreeze the channel': { in: 'voidCommand', drop: '[channel] = 0' },
    'a voided market trades immediately': { in: 'voidCommand', replace: ['cancel-only', 'full'] },
    "a voided market's status has no event": {
      in: 'voidCommand',
      replace: ["changeStatus(exchange, market, 'cancel-only')", "market.status = 'cancel-only'"],
    },
    'a switch that a poison step disarms has no event': {
      in: 'disarmInTime',
      replace: ['exchange.events', '[{}]'],
    },
    'a poison command does not advance its channel': { in: 'freezeFor', drop: 'channelSequences' },
    'a second poison command replaces the first as the cause of a freeze': {
      in: 'freezeFor',
      remove: '&& market.frozenBy === 0',
    },
  },
  'core/engine/move-reference.ts': {
    'a moved band reference has no event': {
      in: 'moveReference',
      replace: ['!isChanged', 'isChanged'],
    },
  },
  'core/engine/restore.ts': {
    'a snapshot with rules of a later release is restored': {
      in: 'restoring',
      drop: 'requireRunnable',
    },
  },
  'core/engine/rules-version.ts': {
    'the rules version can go back': {
      in: 'setRulesVersion',
      replace: ['exchange.rulesVersion', '0'],
    },
  },
  'core/engine/place-order.ts': {
    'users with open orders consume the reserve for others': {
      in: 'isReserved',
      replace: ['===', '>='],
    },
  },
  'core/engine/configure-market.ts': {
    'a band is set without a reference': { in: 'setPriceBand', replace: ['=== 0', '< 0'] },
    'a new band without a reference restarts the window': {
      in: 'setPriceBand',
      replace: ['isNew ? exchange.timeMs : market.referenceSetMs', 'exchange.timeMs'],
    },
    'the reference follows the price one millisecond late': {
      in: 'followPrice',
      replace: ['<', '<='],
    },
    'a reopened market does not activate its ready stops': {
      in: 'setMarketStatus',
      drop: 'activateStops',
    },
  },
  'services/sequencer/pause-meter.ts': {
    'the leader reports no pause': { in: 'PauseMeter.stored', drop: 'waitedMs' },
  },
  'core/engine/configure-limits.ts': {
    'raising limits loses the frozen channels': {
      in: 'growChannels',
      drop: 'channelsFrozenBy.set',
    },
    'a capacity can shrink': {
      in: 'setLimits',
      replace: [
        '!MAY_SHRINK.has(name) && command[name] < exchange.limits[name]',
        'MAY_SHRINK.has(name) && command[name] < 0',
      ],
    },
  },
  'core/engine/configure-listing.ts': {
    'SetIssuanceCap accepts a cap below the issued amount': {
      in: 'setIssuanceCap',
      replace: ['exchange.ledger.issuedAtoms(asset)', '0n'],
    },
    'a market is listed although its largest order does not fit': {
      in: 'refuseNumbers',
      remove: '|| largestQuote > ATOMS_MAX',
    },
  },
  'core/engine/configure-fees.ts': {
    'a fee rate of 100% is accepted': { in: 'FEE_RATE_MAX_PPM', value: '1_000_000' },
  },
  'core/engine/market.ts': {
    'slippage goes in the wrong direction for sells': {
      in: 'worstTicks.slipped',
      value: 'ticksUp(fromTicks, slippagePpm)',
    },
  },
};
