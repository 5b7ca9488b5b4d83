// Dead man's switches: armed, moved and disarmed by command, fired as time passes.

import type { CommandFrame, Refusal, SetDeadManSwitch } from '../../core/messages/index.ts';
import { isWholeWithin } from './exact-arithmetic.ts';
import { checkUser } from './reference-capacity.ts';
import { closeOrder } from './reference-closing.ts';
import { emit, type ReferenceState, type ReferenceSwitch } from './reference-state.ts';

export function setDeadManSwitch(
  state: ReferenceState,
  command: SetDeadManSwitch,
): Refusal | undefined {
  const { user, key, timeoutMs } = command;
  if (checkUser(user) !== undefined) return 'user_must_be_valid';
  if (timeoutMs !== 0 && !isWholeWithin(timeoutMs, 1_000, 86_400_000)) {
    return 'timeout_out_of_range';
  }
  const armed = state.switches.find((one) => one.user === user && one.key === key);
  const deadlineMs = timeoutMs === 0 ? 0 : state.timeMs + timeoutMs;
  if (timeoutMs === 0) {
    if (armed !== undefined) disarm(state, armed);
  } else if (armed !== undefined) {
    armed.deadlineMs = deadlineMs;
  } else if (armedBy(state, user) >= state.limits.deadManSwitchesPerUserMax) {
    return 'user_dead_man_switches_limit_reached';
  } else if (state.switches.length >= state.limits.deadManSwitchesMax) {
    return 'dead_man_switches_limit_reached';
  } else {
    state.switches.push({ user, key, deadlineMs });
  }
  emit(state, { kind: 'DeadManSwitchSet', user, key, deadlineMs });
  return undefined;
}

function armedBy(state: ReferenceState, user: number): number {
  return state.switches.filter((one) => one.user === user).length;
}

export function fireSwitches(state: ReferenceState, frame: CommandFrame): void {
  if (state.rulesVersion >= 2 && frame.pausedMs !== undefined && frame.pausedMs > 0) {
    for (const one of state.switches.sort(byDeadline)) {
      one.deadlineMs += frame.pausedMs;
      const { user, key, deadlineMs } = one;
      emit(state, { kind: 'DeadManSwitchSet', user, key, deadlineMs });
    }
  }
  for (const one of dueSwitches(state, frame)) fire(state, one);
}

/** Runs instead of firing if that step of the frame is poison. */
export function disarmDueSwitches(state: ReferenceState, frame: CommandFrame): void {
  for (const one of dueSwitches(state, frame)) {
    disarm(state, one);
    emit(state, { kind: 'DeadManSwitchSet', user: one.user, key: one.key, deadlineMs: 0 });
  }
  emit(state, { kind: 'CommandPoisoned', market: 0, channel: 0 });
}

function byDeadline(a: ReferenceSwitch, b: ReferenceSwitch): number {
  return a.deadlineMs - b.deadlineMs || a.user - b.user || a.key - b.key;
}

/** A switch named by a command in the frame is not due until after that command. */
function dueSwitches(state: ReferenceState, { commands }: CommandFrame): ReferenceSwitch[] {
  const isNamed = ({ user, key }: ReferenceSwitch) =>
    commands.some((one) => one.kind === 'SetDeadManSwitch' && one.user === user && one.key === key);
  return state.switches
    .filter((one) => one.deadlineMs <= state.timeMs)
    .filter((one) => state.rulesVersion < 2 || !isNamed(one))
    .sort(byDeadline)
    .slice(0, state.limits.switchesPerFrameMax);
}

function fire(state: ReferenceState, one: ReferenceSwitch): void {
  const { user, key } = one;
  const covered = [...state.orders.values()].filter(
    (order) => order.user === user && (key === 0 || order.key === key),
  );
  let ordersCanceled = 0;
  for (const order of covered) {
    // A linked order can have closed with the one before it.
    if (!state.orders.has(order.number)) continue;
    closeOrder(state, order, 'canceled_by_dead_man_switch');
    ordersCanceled += 1;
  }
  emit(state, { kind: 'DeadManSwitchFired', user, key, ordersCanceled });
  disarm(state, one);
}

function disarm(state: ReferenceState, one: ReferenceSwitch): void {
  state.switches.splice(state.switches.indexOf(one), 1);
}
