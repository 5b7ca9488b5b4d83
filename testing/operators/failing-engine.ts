// Injects an engine bug into a real sequencer, which loads this module first: the order with this
// client order ID fails at its first fill. A frame that lists it as poison is applied without it.

import type { CommandFrame } from '../../core/messages/index.ts';
import { Replica } from '../../infra/replica/index.ts';

export const POISON_ORDER = 'poison';

const { apply, begin } = Replica.prototype;

// A leader begins its frames; a follower applies frames from the log.
Replica.prototype.apply = function (frame, ...rest) {
  return withBug(this, frame, () => apply.call(this, frame, ...rest));
};
Replica.prototype.begin = function (frame, ...rest) {
  return withBug(this, frame, () => begin.call(this, frame, ...rest));
};

function withBug<Result>(
  { exchange }: Replica,
  { commands }: CommandFrame,
  run: () => Result,
): Result {
  const { matchListener } = exchange;
  const isPoison = commands.some(
    (command) => command.kind === 'PlaceOrder' && command.clientOrderId === POISON_ORDER,
  );
  if (isPoison) exchange.matchListener = { ...matchListener, fill: fail };
  try {
    return run();
  } finally {
    exchange.matchListener = matchListener;
  }
}

function fail(): never {
  throw new Error('injected bug');
}
