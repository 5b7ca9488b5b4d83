// Cancel on disconnect: a socket that requests it holds its key's dead man's switch until it
// closes. A separate thread maintains the switch.

import type { Watch } from '../../../infra/bus/index.ts';
import {
  CANCEL_ON_DISCONNECT_MAX,
  CANCEL_ON_DISCONNECT_MIN,
  streamTexts,
} from '../../../protocol/index.ts';
import type { OperationCall, Subscriber } from '../topic.ts';
import type { SwitchAnswer, SwitchHolder } from './switch-keeper.ts';

/** Port through which sockets hold switches; see SwitchKeeper. */
export interface SwitchPort {
  set(holder: SwitchHolder, timeoutMs: number): SwitchAnswer | Promise<SwitchAnswer>;
  release(holder: SwitchHolder): void;
}

export class CancelOnDisconnect {
  readonly #switches: SwitchPort;
  readonly #watches = new Map<Subscriber, Watch>();
  #isStopped = false;

  constructor(switches: SwitchPort) {
    this.#switches = switches;
  }

  /** `{"op":"cancel_on_disconnect","args":[{"timeout":30}]}` */
  operate({ args, subscriber }: OperationCall): SwitchAnswer | Promise<SwitchAnswer> {
    const { caller, id: socket } = subscriber;
    if (caller === undefined) return { error: streamTexts.authenticationRequired };
    if (!caller.canTrade) return { error: streamTexts.notAuthorized };
    if (this.#isStopped) return { error: streamTexts.unavailable };
    const timeoutS = timeoutOf(args);
    if (timeoutS === undefined) return { error: streamTexts.timeoutInvalid };
    const holder = { socket, user: caller.user, key: caller.key };
    if (timeoutS > 0 && !this.#watches.has(subscriber)) {
      const watch = subscriber.watchClose(() => {
        this.#watches.delete(subscriber);
        this.#switches.release(holder);
      });
      this.#watches.set(subscriber, watch);
    }
    return this.#switches.set(holder, timeoutS * 1_000);
  }

  /** After this, closing sockets keep their orders for the rest of their timeout. */
  stop(): void {
    this.#isStopped = true;
    for (const watch of this.#watches.values()) watch.stop();
    this.#watches.clear();
  }
}

function timeoutOf(args: readonly unknown[]): number | undefined {
  const [argument] = args;
  if (args.length !== 1 || typeof argument !== 'object' || argument === null) return undefined;
  const { timeout } = argument as { timeout?: unknown };
  if (typeof timeout !== 'number' || !Number.isInteger(timeout)) return undefined;
  const isInRange = timeout >= CANCEL_ON_DISCONNECT_MIN && timeout <= CANCEL_ON_DISCONNECT_MAX;
  return timeout === 0 || isInRange ? timeout : undefined;
}
