// Play money of a demo exchange: what a user can get now, by asset.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { Coin } from '../../../client/index.ts';
import { Refusal, useAct } from '../../forms/index.ts';
import { Amount, Button, LOADING, Panel, READY, showToast, useLook } from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { lastSymbol } from '../last-symbol.ts';
import { CoinMark } from './parts.tsx';
import { playMoneyOf } from './play-money-offers.ts';
import { balanceQuery, depositsQuery, kitQuery } from './queries.ts';

export function PlayMoney({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const { data: kit } = useQuery(kitQuery);
  const { data: constants } = useQuery(constantsQuery);
  const isReady = kit !== undefined && constants !== undefined;
  const offers = isReady ? playMoneyOf(kit, constants.coins) : [];
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body text-quiet">{t('play.text')}</p>
      <Panel title={t('demo.get')} isTitleHidden state={isReady ? READY : LOADING}>
        <ul className="flex flex-col">
          {offers.map(({ amount, coin }) => (
            <Offer key={coin.symbol} coin={coin} amount={amount} />
          ))}
        </ul>
      </Panel>
      <Link
        to="/trade/$symbol"
        params={{ symbol: lastSymbol() }}
        onClick={onClose}
        className="self-end text-body text-accent hover:underline"
      >
        {t('play.trade')}
      </Link>
    </div>
  );
}

function Offer({ amount, coin }: { coin: Coin; amount: string }) {
  const { number, t } = useLook();
  const queries = useQueryClient();
  const values = { amount: number(amount), coin: coin.symbol.toUpperCase() };
  const [hasGot, setGot] = useState(false);
  const get = useAct(async () => {
    await exchange.getPlayMoney({ currency: coin.symbol });
    setGot(true);
    showToast('done', t('play.done', values));
    await Promise.all(
      [balanceQuery, depositsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
    );
  });
  return (
    <li className="flex flex-col gap-1 border-b border-line py-2 last:border-0">
      <div className="flex items-center gap-2.5">
        <CoinMark coin={coin.symbol} />
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block text-value font-semibold">
            <Amount value={amount} unit={coin.symbol} />
          </span>
          <span className="block text-label text-quiet">{coin.fullname}</span>
        </span>
        <Button
          look={hasGot ? 'plain' : 'main'}
          disabled={hasGot}
          isBusy={get.isBusy}
          aria-label={t('play.getOf', values)}
          onClick={() => get.run()}
        >
          {hasGot ? <Check size={14} aria-hidden="true" /> : t('play.get')}
        </Button>
      </div>
      <Refusal error={get.error} />
    </li>
  );
}
