// Channels: external sources of money commands. Each channel keeps the sequence of its last
// command, which makes every command of the source exactly-once, permanently, in bounded memory.

import type { ChannelPosition, Refusal } from '../messages/index.ts';
import type { Exchange } from './exchange.ts';

/** Advances the channel if this is its next command; otherwise returns the refusal. */
export function advanceChannel(exchange: Exchange, position: ChannelPosition): Refusal {
  const { channel, channelSequence } = position;
  if (channel < 1 || channel > exchange.limits.channelsMax) return 'channel_must_exist';
  if (exchange.channelsFrozenBy[channel] !== 0) return 'channel_is_frozen';
  const next = exchange.channelSequences[channel] + 1;
  if (channelSequence < next) return 'channel_sequence_already_seen';
  if (channelSequence > next) return 'channel_sequence_has_gap';
  exchange.channelSequences[channel] = next;
  return 'none';
}
