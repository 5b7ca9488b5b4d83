// Arms, moves and disarms dead man's switches, and fires those whose deadline a frame's time has
// passed without a heartbeat.

import type { Refusal, SetDeadManSwitch } from '../messages/index.ts';
import type { MarketId, TimeMs } from '../money/index.ts';
import { closeOrdersOf } from './cancel-orders.ts';
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

/** Runs at the start of every frame. */
export function fireDeadManSwitches(exchange: Exchange): void {
  const { limits, switches } = exchange;
  for (const { user, key } of switches.due(exchange.timeMs, limits.switchesPerFrameMax)) {
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
