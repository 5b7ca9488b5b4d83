// Arms, moves and disarms dead man's switches, and fires those whose deadline a frame's time has
// passed without a heartbeat.

import type { CommandFrame, Refusal, SetDeadManSwitch } from '../messages/index.ts';
import type { MarketId, TimeMs } from '../money/index.ts';
import { closeOrdersOf } from './cancel-orders.ts';
import type { DeadManSwitch } from './dead-man-switches.ts';
import type { Exchange } from './exchange.ts';
import { isUser } from './users.ts';

const TIMEOUT_MIN_MS = 1_000;
const TIMEOUT_MAX_MS = 86_400_000;

export function setDeadManSwitch(exchange: Exchange, command: SetDeadManSwitch): Refusal {
  const { user, key, timeoutMs } = command;
  const { limits, switches } = exchange;
  if (!isUser(user)) return 'user_must_be_valid';
  const disarms = timeoutMs === 0;
  if (!disarms && (timeoutMs < TIMEOUT_MIN_MS || timeoutMs > TIMEOUT_MAX_MS)) {
    return 'timeout_out_of_range';
  }
  if (!disarms && !switches.has(user, key)) {
    if (switches.countOf(user) >= limits.deadManSwitchesPerUserMax) {
      return 'user_dead_man_switches_limit_reached';
    }
    if (switches.size >= limits.deadManSwitchesMax) return 'dead_man_switches_limit_reached';
  }
  const deadlineMs = (disarms ? 0 : exchange.timeMs + timeoutMs) as TimeMs;
  if (disarms) switches.disarm(user, key);
  else switches.arm({ user, key, deadlineMs });
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'DeadManSwitchSet', command: cause, user, key, deadlineMs });
  return 'none';
}

/** The time in which the exchange could not accept commands does not count for any switch. */
function postponeSwitches(exchange: Exchange, { pausedMs = 0 }: CommandFrame): void {
  if (exchange.rulesVersion < 2 || pausedMs === 0) return;
  const { command, events, switches } = exchange;
  for (const { user, key, deadlineMs: before } of switches.inOrder()) {
    const deadlineMs = (before + pausedMs) as TimeMs;
    switches.arm({ user, key, deadlineMs });
    events.push({ kind: 'DeadManSwitchSet', command, user, key, deadlineMs });
  }
}

/** The switches that fire now. A switch named by a command of the frame is left to that command. */
export function dueSwitches(exchange: Exchange, frame: CommandFrame): readonly DeadManSwitch[] {
  const { limits, rulesVersion, switches, timeMs } = exchange;
  if (timeMs < switches.noneDueBeforeMs) return [];
  const named =
    rulesVersion < 2 ? [] : frame.commands.filter(({ kind }) => kind === 'SetDeadManSwitch');
  const names = new Set((named as SetDeadManSwitch[]).map(({ user, key }) => `${user}:${key}`));
  return switches.due(timeMs, limits.switchesPerFrameMax, ({ user, key }) =>
    names.has(`${user}:${key}`),
  );
}

/** Runs at the start of every frame. */
export function fireDeadManSwitches(exchange: Exchange, frame: CommandFrame): void {
  const { switches } = exchange;
  postponeSwitches(exchange, frame);
  for (const { user, key } of dueSwitches(exchange, frame)) {
    switches.disarm(user, key);
    const only = { market: 0 as MarketId, key };
    const ordersCanceled = closeOrdersOf(exchange, user, only, 'canceled_by_dead_man_switch');
    const { command: cause } = exchange;
    exchange.events.push({
      kind: 'DeadManSwitchFired',
      command: cause,
      user,
      key,
      ordersCanceled,
    });
  }
}
