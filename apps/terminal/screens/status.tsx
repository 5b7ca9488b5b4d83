// Public status page: whether the exchange trades, what is stopped, and its announcements.

import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Banner, ExchangeStatus } from '../../../client/index.ts';
import { Chip, Facts, paragraphsOf } from '../../forms/index.ts';
import {
  type Column,
  marketName,
  Panel,
  READY,
  stateOfError,
  stateOfList,
  Table,
  useLook,
  type Word,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';

const EVERY_MS = 10_000;

type Market = ExchangeStatus['markets'][number];
type Coin = ExchangeStatus['coins'][number];

export function Screen() {
  const { t } = useLook();
  const status = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => exchange.getStatus({ signal }),
    refetchInterval: EVERY_MS,
  });
  const state =
    status.data !== undefined && status.error !== null
      ? ({ kind: 'stale', sinceMs: status.dataUpdatedAt } as const)
      : status.error !== null
        ? stateOfError(status.error)
        : status.data === undefined
          ? ({ kind: 'loading' } as const)
          : READY;
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-2 py-4">
      <h1 className="mb-1 text-price font-semibold">{t('nav.status')}</h1>
      <Panel
        title={t('status.now')}
        state={state}
        onRetry={() => void status.refetch()}
        skeletonRows={5}
      >
        {status.data !== undefined && <Now status={status.data} />}
      </Panel>
      {status.data !== undefined && <Stopped status={status.data} />}
      <Announcements />
    </div>
  );
}

function Now({ status }: { status: ExchangeStatus }) {
  const { t } = useLook();
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => exchange.getHealth({ signal }),
    refetchInterval: EVERY_MS,
  });
  const isTrading = health.data?.status === true && !status.read_only;
  const isWhole =
    isTrading && !status.logins_closed && status.markets.length === 0 && status.coins.length === 0;
  const color = isWhole ? 'text-up' : 'text-warn';
  return (
    <>
      <div role="status" className="flex items-center gap-3 px-2 py-4">
        <span aria-hidden="true" className={color}>
          {isWhole ? <CircleCheck size={28} /> : <TriangleAlert size={28} />}
        </span>
        <p className="text-title font-semibold">
          {t(isWhole ? 'status.allWell' : isTrading ? 'status.partly' : 'status.stopped')}
        </p>
      </div>
      {status.banners.map((banner) => (
        <BannerLine key={`${banner.since} ${banner.text}`} banner={banner} />
      ))}
      <Facts
        facts={[
          {
            label: t('status.orders'),
            value: <Yes isYes={isTrading} since={status.read_only_since} />,
          },
          {
            label: t('status.logins'),
            value: <Yes isYes={!status.logins_closed} since={status.logins_closed_since} />,
          },
          {
            label: t('status.markets'),
            value: <Yes isYes={status.markets.length === 0} count={status.markets.length} />,
          },
          {
            label: t('status.coins'),
            value: <Yes isYes={status.coins.length === 0} count={status.coins.length} />,
          },
        ]}
      />
    </>
  );
}

/** Shows that something works, since when it does not, or how many do not. */
function Yes({
  count,
  isYes,
  since = null,
}: {
  isYes: boolean;
  since?: string | null;
  count?: number;
}) {
  const { t, time } = useLook();
  if (isYes) return <Chip color="text-up">{t('status.works')}</Chip>;
  if (count !== undefined) {
    return <Chip color="text-warn">{t('status.affected', { count })}</Chip>;
  }
  return (
    <Chip color="text-down">
      {since === null ? t('status.off') : t('status.offSince', { time: time(since, 'short') })}
    </Chip>
  );
}

const BANNERS: Readonly<Record<Banner['kind'], { icon: ReactNode; color: string; word: Word }>> = {
  info: { icon: <Info size={16} />, color: 'text-accent', word: 'status.info' },
  warning: { icon: <TriangleAlert size={16} />, color: 'text-warn', word: 'status.warning' },
  incident: { icon: <OctagonAlert size={16} />, color: 'text-down', word: 'status.incident' },
};

function BannerLine({ banner }: { banner: Banner }) {
  const { t, time } = useLook();
  const { color, icon, word } = BANNERS[banner.kind];
  return (
    <div className="flex gap-2 border-t border-line px-2 py-2 text-body">
      <span aria-hidden="true" className={`flex-none ${color}`}>
        {icon}
      </span>
      <p className="min-w-0 flex-1">
        <span className={`font-semibold ${color}`}>{t(word)}</span> <bdi>{banner.text}</bdi>
        <span className="block text-label text-quiet">{time(banner.since, 'full')}</span>
      </p>
    </div>
  );
}

function Stopped({ status }: { status: ExchangeStatus }) {
  const { t, time } = useLook();
  const markets: readonly Column<Market>[] = [
    {
      key: 'symbol',
      label: t('shell.pair'),
      cell: ({ symbol }) => <bdi dir="ltr">{marketName(symbol)}</bdi>,
    },
    {
      key: 'state',
      label: t('status.state'),
      cell: ({ status: state }) => <Chip color="text-warn">{t(`status.market_${state}`)}</Chip>,
    },
    {
      key: 'since',
      label: t('sessions.since'),
      isNumber: true,
      cell: ({ since }) => time(since, 'short'),
    },
  ];
  const works = (isOn: boolean) => t(isOn ? 'status.works' : 'status.off');
  const coins: readonly Column<Coin>[] = [
    {
      key: 'currency',
      label: t('status.coin'),
      cell: ({ currency }) => <bdi dir="ltr">{currency.toUpperCase()}</bdi>,
    },
    { key: 'deposits', label: t('status.deposits'), cell: ({ deposits }) => works(deposits) },
    {
      key: 'withdrawals',
      label: t('profile.withdrawals'),
      cell: ({ withdrawals }) => works(withdrawals),
    },
    {
      key: 'since',
      label: t('sessions.since'),
      isNumber: true,
      cell: ({ since }) => (since === null ? '–' : time(since, 'short')),
    },
  ];
  return (
    <>
      {status.markets.length > 0 && (
        <Panel title={t('status.markets')} state={READY}>
          <Table
            caption={t('status.markets')}
            columns={markets}
            rows={status.markets}
            keyOf={({ symbol }) => symbol}
          />
        </Panel>
      )}
      {status.coins.length > 0 && (
        <Panel title={t('status.coins')} state={READY}>
          <Table
            caption={t('status.coins')}
            columns={coins}
            rows={status.coins}
            keyOf={({ currency }) => currency}
          />
        </Panel>
      )}
    </>
  );
}

function Announcements() {
  const { t, time } = useLook();
  const query = useQuery({
    queryKey: ['announcements'],
    queryFn: async ({ signal }) =>
      (await exchange.getAnnouncements({ limit: 20 }, { signal })).data,
    refetchInterval: 60_000,
  });
  return (
    <Panel
      title={t('status.announcements')}
      state={stateOfList(query, t('status.noAnnouncements'))}
      onRetry={() => void query.refetch()}
      skeletonRows={3}
    >
      {query.data?.map(({ created_at, id, message, title }) => (
        <article key={id} className="border-b border-line px-2 py-3 last:border-b-0">
          <h3 className="text-value font-semibold">
            <bdi>{title}</bdi>
          </h3>
          <p className="text-label text-quiet">{time(created_at, 'full')}</p>
          {paragraphsOf(message).map((paragraph) => (
            <p key={paragraph} dir="auto" className="mt-1 text-body">
              {paragraph}
            </p>
          ))}
        </article>
      ))}
    </Panel>
  );
}
