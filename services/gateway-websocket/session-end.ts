// When a session ends, read once for each socket that begins with one: a request is judged anew
// each time, a socket has to know how long it may stay. Never logs a token.

import { hash } from 'node:crypto';
import { AccessFault } from '../../infra/access/index.ts';
import { readSessions, type Statements } from '../../infra/registry/index.ts';

const SCHEME = /^Bearer /i;

/** Undefined when there is no such session. Rejects with an AccessFault when nobody answers. */
export async function sessionEndMs(
  registry: Statements,
  authorization: string,
): Promise<number | undefined> {
  const tokenHash = hash('sha256', authorization.replace(SCHEME, ''), 'buffer');
  try {
    const [found] = await readSessions(registry, [tokenHash]);
    return found?.session.expiresAt.getTime();
  } catch (cause) {
    throw new AccessFault('the end of a session could not be read', { cause });
  }
}
