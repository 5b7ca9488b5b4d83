// Log lines of the signer. It has no metrics, because it has no network: the payer reports its
// state.

import type { Logger } from '../../infra/process/index.ts';
import type { SignerAnswer, SignerRequest } from '../../infra/signer-link/index.ts';

export function signerTelemetry(log: Logger) {
  return {
    tornEntry: (bytes: number) => log.warn({ bytes }, 'incomplete journal entry removed'),
    opened: (fields: Readonly<Record<string, unknown>>) => log.info(fields, 'journal verified'),
    answered(request: SignerRequest, answer: SignerAnswer): void {
      if (answer.kind === 'refused') {
        const { detail, refusal } = answer;
        log.warn({ request: request.kind, refusal, detail }, 'request rejected');
      } else if (answer.kind === 'signed') {
        const { payment, version } = answer;
        const { id, intent, slot } = payment;
        log.info({ payment: id, intent: intent.kind, slot, txid: version.txid }, 'payment signed');
      } else if (request.kind !== 'status' && request.kind !== 'journal') {
        log.info({ request: request.kind, answer: answer.kind }, 'request answered');
      }
    },
  };
}
