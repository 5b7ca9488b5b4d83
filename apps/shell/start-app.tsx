// Starts an app: loads its texts, then renders the page.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LookProvider, loadLook, ToastProvider } from '../ui/index.ts';

// The client retries where that is safe; a second layer of retries would hide rejections.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
});

export interface AppParts {
  readonly router: AnyRouter;
  readonly SessionProvider: ComponentType<{ children: ReactNode }>;
  /** The app's texts in addition to those in `apps/ui`. */
  readonly words?: Parameters<typeof loadLook>[0];
}

export async function startApp({ router, SessionProvider, words }: AppParts): Promise<void> {
  const look = await loadLook(words);
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
}
