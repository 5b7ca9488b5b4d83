// Submits a command and returns its result if the engine accepted it; any other outcome becomes a
// refusal. An unknown outcome is reported as unknown.

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
      if (refusal === 'none') throw new Error('a refused command must name its refusal');
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
