// A bug in the engine of a real sequencer, which loads this module first: the order with this
// client order id fails at its first fill. A frame that lists it as poison is applied without it.

import { Replica } from '../../infra/replica/index.ts';

export const POISON_ORDER = 'poison';

const { apply } = Replica.prototype;

Replica.prototype.apply = function (frame, ...rest) {
  const { exchange } = this;
  const { matchListener } = exchange;
  const isPoison = frame.commands.some(
    (command) => command.kind === 'PlaceOrder' && command.clientOrderId === POISON_ORDER,
  );
  if (isPoison) exchange.matchListener = { ...matchListener, fill: fail };
  try {
    return apply.call(this, frame, ...rest);
  } finally {
    exchange.matchListener = matchListener;
  }
};

function fail(): never {
  throw new Error('injected bug');
}
