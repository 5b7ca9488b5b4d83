// Starts the terminal.

import { startApp } from '../shell/index.ts';
import { router } from './routes.tsx';
import { SessionProvider } from './session.tsx';

await startApp({ router, SessionProvider });
