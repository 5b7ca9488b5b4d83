// Projects dead man's switches.

import type { EventHandlers } from './event-handler.ts';

export const switchHandlers: EventHandlers<'DeadManSwitchSet' | 'DeadManSwitchFired'> = {
  DeadManSwitchSet(event, { switches }, { timeMs }) {
    // The event has a deadline of 0 if the user disarmed the switch.
    const deadlineMs = event.deadlineMs === 0 ? undefined : event.deadlineMs;
    switches.set(event, deadlineMs, timeMs);
  },

  DeadManSwitchFired(event, { switches }, { timeMs }) {
    switches.fire(event, event.ordersCanceled, timeMs);
  },
};
