// Sends a public request. If the exchange requires a captcha, solves it and sends it again.

import { type RialtoClient, RialtoError } from '../../client/index.ts';
import { solveChallenge } from './proof-of-work.ts';

const CAPTCHA_NEEDED = 82;

export async function withCaptcha<Answer>(
  exchange: RialtoClient,
  call: (captcha: { captcha?: string }) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call({});
  } catch (error) {
    if (!(error instanceof RialtoError) || error.code !== CAPTCHA_NEEDED) throw error;
    const { challenge, difficulty, type } = await exchange.getChallenge();
    if (type !== 'proof_of_work' || challenge === undefined) throw error;
    return call({ captcha: await solveChallenge(challenge, difficulty ?? 0) });
  }
}
