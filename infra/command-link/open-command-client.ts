// Opens a command client as services use it: with its own source, and with a direct link to
// the leader when the leader can be reached.

import { randomInt } from 'node:crypto';
import type { Bus } from '../bus/index.ts';
import type { Identity } from '../identities/index.ts';
import type { Clock } from '../process/index.ts';
import {
  COMMAND_CLIENT_DEFAULTS,
  CommandClient,
  type CommandClientOptions,
} from './command-client.ts';
import { LinkClient } from './link-client.ts';

export type OpenCommandClientOptions = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  readonly identity: Identity;
} & Partial<Omit<CommandClientOptions, 'onClosed' | 'sender'>>;

// Drawn from a range so large that two sessions never share one. Tests use low sources.
const SOURCE_MIN = 2 ** 32;
const SOURCE_END = 2 ** 48 - 1;

export function openCommandClient(options: OpenCommandClientOptions): CommandClient {
  const { bus, clock, exchange, identity, source = randomInt(SOURCE_MIN, SOURCE_END) } = options;
  const link = new LinkClient({ bus, clock, exchange, identity, source });
  return new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    ...options,
    sender: identity.name,
    source,
    bus: link,
    onClosed: () => link.close(),
  });
}
