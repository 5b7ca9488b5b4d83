// Starts the console.

import { startApp } from '../shell/index.ts';
import { LANGUAGES, loadOwnWords } from './catalogue.ts';
import { router } from './routes.tsx';
import { SessionProvider } from './session.tsx';

await startApp({
  router,
  SessionProvider,
  words: { languages: LANGUAGES, areas: ['account'], loadMore: loadOwnWords },
});
