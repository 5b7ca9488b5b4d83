// Generated files for core/messages with their content. A test compares them with the disk.

import { COMMAND_LAYOUTS } from '../../core/messages/command-layout.ts';
import { EVENT_LAYOUTS } from '../../core/messages/event-layout.ts';
import { generateAsciiText } from './generate-ascii-text.ts';
import { generateCodec } from './generate-codec.ts';

const CLIENT_ORDER_ID_LENGTH_MAX = 36;

/** Returns content by path in the repository. */
export function codecSources(): ReadonlyMap<string, string> {
  const codec = generateCodec({
    modulePrefix: './',
    vocabularyModule: 'vocabulary.ts',
    groups: [
      { union: 'Command', module: 'commands.ts', layouts: COMMAND_LAYOUTS },
      { union: 'Event', module: 'events.ts', layouts: EVENT_LAYOUTS },
    ],
  });
  return new Map([
    ['core/messages/codec.generated.ts', codec],
    ['core/messages/ascii-text.generated.ts', generateAsciiText(CLIENT_ORDER_ID_LENGTH_MAX)],
  ]);
}
