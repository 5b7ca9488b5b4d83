// Every message of the stream, by name. The AsyncAPI document and the client are generated from it.

import { streamClientMessages } from './client-messages.ts';
import { streamLevelMessages } from './level-messages.ts';
import { streamOperatorMessages } from './operator-messages.ts';
import { streamPrivateMessages } from './private-messages.ts';
import { streamPublicMessages } from './public-messages.ts';
import { streamResumableMessages } from './resumable-messages.ts';

export { streamClientMessages };

export const streamServerMessages = {
  ...streamPublicMessages,
  ...streamLevelMessages,
  ...streamPrivateMessages,
  ...streamOperatorMessages,
  ...streamResumableMessages,
} as const;
