// The text that a request's signature covers, and the signature, to compare with one's own. Takes a
// secret, so it exists only where an exchange runs for development. It keeps nothing.

import { createHmac } from 'node:crypto';
import type { Routes } from '../../../protocol/index.ts';
import type { Call } from '../handler.ts';

type SignRoute = Routes['signForDevelopment'];

export function signForDevelopment({ body: asked }: Call<SignRoute>): {
  text: string;
  signature?: string;
} {
  const { body = '', expires, method, path, secret } = asked;
  const text = `${method}${path}${expires}${body}`;
  if (secret === undefined) return { text };
  return { text, signature: createHmac('sha256', secret).update(text).digest('hex') };
}
