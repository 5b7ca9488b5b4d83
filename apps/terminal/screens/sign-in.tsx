// Signs in to the terminal and returns to the page that required it.

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { nextPath, SignIn } from '../../forms/index.ts';
import { useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';

export function Screen() {
  const { t } = useLook();
  const { refresh, user } = useSession();
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false }) as { next?: unknown };
  const isSignedIn = user !== null && user !== undefined;
  useEffect(() => {
    if (isSignedIn) void navigate({ to: nextPath(next), replace: true });
  }, [isSignedIn, navigate, next]);
  return (
    <SignIn
      exchange={exchange}
      onSignedIn={refresh}
      footer={
        <>
          <Link to="/sign-up" className="text-accent hover:underline">
            {t('signIn.noAccount')}
          </Link>
          <Link to="/reset-password" className="text-accent hover:underline">
            {t('signIn.forgotten')}
          </Link>
        </>
      }
    />
  );
}
