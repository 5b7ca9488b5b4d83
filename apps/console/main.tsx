// Starts the console: words first, then the page.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LookProvider, loadLook, ToastProvider } from '../ui/index.ts';
import { LANGUAGES, loadOwnWords } from './catalogue.ts';
import { router } from './routes.tsx';
import { SessionProvider } from './session.tsx';

// The client retries where that is safe; a second layer of retries would hide refusals.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
});

const look = await loadLook({
  languages: LANGUAGES,
  areas: ['account'],
  loadMore: loadOwnWords,
});
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <LookProvider initial={look}>
        <ToastProvider>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </ToastProvider>
      </LookProvider>
    </QueryClientProvider>
  </StrictMode>,
);
