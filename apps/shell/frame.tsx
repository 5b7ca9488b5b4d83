// Parts of the frame around every screen.

import { Link } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { Notice, useLook } from '../ui/index.ts';

/** Keyboard link from the top of the page to `#content`. */
export function SkipLink() {
  const { t } = useLook();
  return (
    <a
      href="#content"
      className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-2"
    >
      {t('shell.skip')}
    </a>
  );
}

export function Brand({ children, className }: { children?: ReactNode; className: string }) {
  return (
    <Link to="/" className={`${className} flex items-center gap-2 px-1 text-title font-semibold`}>
      <img src="/icon.svg" alt="" width={22} height={22} />
      <span className="max-sm:sr-only">Rialto{children}</span>
    </Link>
  );
}

export function NotFound({ home }: { home: string }) {
  const { t } = useLook();
  return (
    <Notice icon={<Globe />} title={t('shell.notFound')}>
      <Link to="/" className="text-accent hover:underline">
        {home}
      </Link>
    </Notice>
  );
}

export function ScreenFailed({ error }: { error: unknown }) {
  const { t } = useLook();
  return (
    <Notice icon={<Globe />} title={t('shell.failed')} color="text-down">
      {error instanceof Error ? error.message : String(error)}
    </Notice>
  );
}
