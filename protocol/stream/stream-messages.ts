// Every message of the stream, by name. The document and the tests are made from these.

import { streamClientMessages } from './client-messages.ts';
import { streamLevelMessages } from './level-messages.ts';
import { streamPrivateMessages } from './private-messages.ts';
import { streamPublicMessages } from './public-messages.ts';
import { streamResumableMessages } from './resumable-messages.ts';

export { streamClientMessages };

export const streamServerMessages = {
  ...streamPublicMessages,
  ...streamLevelMessages,
  ...streamPrivateMessages,
  ...streamResumableMessages,
} as const;
