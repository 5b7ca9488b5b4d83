// Lines above every screen. They load after the frame, so they never delay it.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Info, OctagonAlert, TriangleAlert, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button, Dialog, needWords, useLook } from '../ui/index.ts';
import { type BannerLine, bannerLines, readDismissed, writeDismissed } from './banner-lines.ts';
import { announcementsQuery, constantsQuery, exchange } from './exchange.ts';
import { useSession } from './session.tsx';

const PlayMoney = lazy(async () => {
  const [file] = await Promise.all([
    import('./money/play-money.tsx'),
    needWords(['money', 'account']),
  ]);
  return { default: file.PlayMoney };
});

const STATUS_EVERY_MS = 30_000;
const CLOCK_EVERY_MS = 15_000;
const STORED_AS = 'rialto.dismissed';

const KINDS = {
  incident: { Icon: OctagonAlert, color: 'text-down', word: 'status.incident' },
  warning: { Icon: TriangleAlert, color: 'text-warn', word: 'status.warning' },
  info: { Icon: Info, color: 'text-accent', word: 'status.info' },
} as const;

export function Banners() {
  const lines = useLines();
  const box = useRef<HTMLDivElement>(null);
  useHeight(box);
  return (
    <div ref={box}>
      <DemoLine />
      {lines.shown.map((line) => (
        <Line key={line.key} line={line} onDismiss={() => lines.dismiss(line.key)} />
      ))}
    </div>
  );
}

/** Says on every page that the money is not real. */
function DemoLine() {
  const { t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (constants?.demo !== true) return null;
  return (
    <aside
      aria-label={t('shell.demo')}
      className="mx-1 mt-1 flex min-h-8 items-center gap-x-3 rounded border border-accent bg-panel px-3 py-1 text-body"
    >
      <span className="font-semibold text-accent">{t('shell.demo')}</span>
      <p className="min-w-0 flex-1 max-sm:sr-only">{t('demo.text')}</p>
      {user === null && (
        <Link to="/sign-up" className="ms-auto flex-none font-semibold text-accent hover:underline">
          {t('shell.signUp')}
        </Link>
      )}
      {user !== null && user !== undefined && (
        <>
          <Button look="main" className="ms-auto flex-none" onClick={() => setOpen(true)}>
            {t('demo.get')}
          </Button>
          <Dialog title={t('demo.get')} isOpen={isOpen} onClose={() => setOpen(false)}>
            <Suspense fallback={<span className="skeleton h-40 w-full" />}>
              <PlayMoney onClose={() => setOpen(false)} />
            </Suspense>
          </Dialog>
        </>
      )}
    </aside>
  );
}

function useLines() {
  const { user } = useSession();
  const { data: status } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => exchange.getStatus({ signal }),
    refetchInterval: STATUS_EVERY_MS,
  });
  const { data: announcements = [] } = useQuery(announcementsQuery);
  const { data: endsAt } = useQuery({
    queryKey: ['private', 'session end', user?.id],
    queryFn: async ({ signal }) => {
      const { data } = await exchange.getSessions({ status: true, limit: 50 }, { signal });
      return data.find(({ current }) => current)?.expiry_date ?? '';
    },
    enabled: user !== null && user !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [dismissed, setDismissed] = useState(() => readDismissed(localStorage.getItem(STORED_AS)));
  const nowMs = useClock();
  const dismiss = (key: string) => {
    const next = new Set([...dismissed, key]);
    localStorage.setItem(STORED_AS, writeDismissed(next));
    setDismissed(next);
  };
  const facts = { status, announcements, dismissed, endsAt: endsAt || undefined, nowMs };
  return { shown: bannerLines(facts), dismiss };
}

function Line({ line, onDismiss }: { line: BannerLine; onDismiss(): void }) {
  const { t, time } = useLook();
  const { Icon, color, word } = KINDS[line.kind];
  const { about } = line;
  return (
    <div
      role={line.kind === 'incident' ? 'alert' : 'status'}
      data-banner={line.kind}
      className="mx-1 mt-1 flex min-h-8 items-center gap-2 rounded border border-line bg-panel px-3 py-1 text-body"
    >
      <Icon size={16} aria-hidden="true" className={`flex-none ${color}`} />
      <p className="min-w-0 flex-1">
        <span className={`font-semibold ${color}`}>{t(word)}</span>{' '}
        {about.what === 'text' && <bdi>{about.text}</bdi>}
        {about.what === 'read only' && t('banner.readOnly')}
        {about.what === 'session ends' && t('banner.sessionEnds', { time: time(about.at) })}
      </p>
      {about.what === 'session ends' ? (
        <Link to="/sign-in" className="text-accent hover:underline">
          {t('shell.signIn')}
        </Link>
      ) : (
        <Link to="/status" className="text-accent whitespace-nowrap hover:underline">
          {t('banner.more')}
        </Link>
      )}
      {line.canDismiss && (
        <Button look="quiet" size="icon" aria-label={t('shell.close')} onClick={onDismiss}>
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

function useClock(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), CLOCK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/** Height that full-page screens subtract. */
function useHeight(box: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() =>
      root.style.setProperty('--banners', `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty('--banners');
    };
  }, [box]);
}
