// Routes that exist only while an exchange runs for development, because they take secrets. They
// store nothing.

import { createHmac } from 'node:crypto';
import type { HandlersOf } from '../../../platform/http/index.ts';

export const developmentRoutes: HandlersOf<'development'> = {
  /** The text that a request's signature covers, and the signature itself, for comparison. */
  signForDevelopment({ body: request }) {
    const { body = '', expires, method, path, secret } = request;
    const text = `${method}${path}${expires}${body}`;
    if (secret === undefined) return { text };
    return { text, signature: createHmac('sha256', secret).update(text).digest('hex') };
  },
};
