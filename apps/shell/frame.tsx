// Parts of the frame around every screen.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { RialtoClient } from '../../client/index.ts';
import { Notice, useLook } from '../ui/index.ts';

const RELEASED_NAME = 'Rialto';

const publicExchange = new RialtoClient({ url: location.origin });

/** Both apps use this key. */
const kitQuery = queryOptions({
  queryKey: ['kit'],
  queryFn: ({ signal }) => publicExchange.getKit({ signal }),
  staleTime: 5 * 60_000,
});

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

/** The name that the operator gave the exchange. */
export function useExchangeName(): string {
  const { data: kit } = useQuery(kitQuery);
  const title = kit?.title.trim() ?? '';
  return title === '' ? RELEASED_NAME : title;
}

export function Brand({ children, className }: { children?: ReactNode; className: string }) {
  const name = useExchangeName();
  return (
    <Link to="/" className={`${className} flex items-center gap-2 px-1 text-title font-semibold`}>
      <img src="/icon.svg" alt="" width={22} height={22} />
      <span className="max-w-48 truncate max-sm:sr-only">
        {name}
        {children}
      </span>
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
