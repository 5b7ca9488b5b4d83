// Sends a command and gives what came of it if it was accepted; everything else becomes the refusal
// that the client is told. Of an unknown outcome it is said that it is unknown, and nothing more.

import { orderIdText } from '../../core/messages/index.ts';
import type { OrderNumber } from '../../core/money/index.ts';
import { notTakenError, RETRY_AFTER_S, refusalError } from '../../protocol/index.ts';
import { ApiRefusal, type RefusalDetails } from './api-refusal.ts';
import type { CommandToSend, Submitted } from './commands.ts';
import type { Dependencies } from './dependencies.ts';

export type Accepted = Extract<Submitted, { kind: 'accepted' }>;

export async function submitCommand(
  { commands }: Dependencies,
  command: CommandToSend,
  details?: RefusalDetails,
): Promise<Accepted> {
  return acceptedOf(await commands.submit(command), details);
}

/** Throws an ApiRefusal for anything but an accepted command. */
export function acceptedOf(submitted: Submitted, details: RefusalDetails = {}): Accepted {
  switch (submitted.kind) {
    case 'accepted':
      return submitted;
    case 'refused': {
      const { order, refusal } = submitted;
      if (refusal === 'none') throw new Error('a refused command has a refusal');
      const named = order === 0 ? {} : { order_id: orderIdText(order as OrderNumber) };
      const key = refusalError(refusal);
      throw new ApiRefusal(key, { refusal, ...named, ...details });
    }
    case 'not_taken':
      throw new ApiRefusal(notTakenError(submitted.reason), {}, RETRY_AFTER_S);
    case 'unknown':
      throw new ApiRefusal('outcome_unknown');
  }
}
