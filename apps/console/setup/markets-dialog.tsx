// Lists chosen markets with increments and limits that fit their price, and opens them.

import { useState } from 'react';
import type { ListedCoin } from '../../../client/index.ts';
import { divide, isPositive } from '../../decimals/index.ts';
import { Checkbox, DecimalField, marketName } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { areAllOk, checkPair, type PairDraft, pairBody } from '../markets/listing-checks.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';
import { marketOf, suggestedMarkets } from './catalog.ts';

const ANY_STEP = '0.000000000001';
const FEE_STEP = '0.0001';
const PRICE_SCALE = 8;

export function MarketsDialog({
  coins,
  listed,
  onClose,
}: {
  coins: readonly ListedCoin[];
  listed: readonly string[];
  onClose(): void;
}) {
  const { t } = useLook();
  const offered = suggestedMarkets(
    coins.map(({ symbol }) => symbol),
    listed,
  );
  const coinOf = (symbol: string) => coins.find((one) => one.symbol === symbol);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [prices, setPrices] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      offered.map(([base, quote]) => [
        `${base}-${quote}`,
        ratio(coinOf(base)?.estimated_price, coinOf(quote)?.estimated_price),
      ]),
    ),
  );
  const [maker, setMaker] = useState('0.1');
  const [taker, setTaker] = useState('0.2');
  const draftOf = (name: string): PairDraft | undefined => {
    const [base, quote] = name.split('-').map(coinOf);
    if (base === undefined || quote === undefined) return undefined;
    const draft = marketOf(base, quote, prices[name] ?? '');
    return draft && { ...draft, makerFee: maker, takerFee: taker };
  };
  const drafts = chosen.map(draftOf);
  const isReady = drafts.every(
    (draft) => draft !== undefined && areAllOk(checkPair(draft, coins, listed)),
  );
  return (
    <ActDialog
      title={t('setup.markets')}
      submit={t('setup.open', { count: chosen.length })}
      form="wide"
      approvals={1}
      isDisabled={chosen.length === 0 || !isReady}
      onClose={onClose}
      act={async () => {
        let answer: unknown;
        for (const draft of drafts) {
          if (draft === undefined) continue;
          answer = await exchange.createPair({ ...pairBody(draft), status: 'full' });
        }
        return answer;
      }}
    >
      <p className="text-body text-quiet">{t('setup.marketsText')}</p>
      <div className="grid grid-cols-2 gap-3">
        <DecimalField
          label={t('market.makerFee')}
          increment={FEE_STEP}
          after="%"
          value={maker}
          onValue={setMaker}
        />
        <DecimalField
          label={t('market.takerFee')}
          increment={FEE_STEP}
          after="%"
          value={taker}
          onValue={setTaker}
        />
      </div>
      <ul className="flex flex-col gap-1">
        {offered.map(([base, quote]) => {
          const name = `${base}-${quote}`;
          const draft = chosen.includes(name) ? draftOf(name) : undefined;
          return (
            <li key={name} className="flex flex-wrap items-center gap-3 border-b border-line pb-1">
              <span className="w-32">
                <Checkbox
                  label={
                    <bdi dir="ltr" className="font-semibold">
                      {marketName(name)}
                    </bdi>
                  }
                  isOn={chosen.includes(name)}
                  onChange={(isOn) =>
                    setChosen(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
                  }
                />
              </span>
              <span className="flex-1 text-label text-quiet">
                {draft !== undefined &&
                  t('setup.steps', {
                    size: `${draft.incrementSize} ${base.toUpperCase()}`,
                    price: `${draft.incrementPrice} ${quote.toUpperCase()}`,
                    min: `${draft.minSize} ${base.toUpperCase()}`,
                  })}
              </span>
              {chosen.includes(name) && (
                <span className="w-40">
                  <DecimalField
                    label={t('setup.priceOf', { symbol: marketName(name) })}
                    isLabelHidden
                    placeholder={t('market.estimatedPrice')}
                    increment={ANY_STEP}
                    after={quote.toUpperCase()}
                    required
                    value={prices[name] ?? ''}
                    onValue={(price) => setPrices({ ...prices, [name]: price })}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {offered.length === 0 && <p className="text-body">{t('setup.noMarkets')}</p>}
    </ActDialog>
  );
}

/** Price of the base in the quote, from both reference prices; empty without them. */
function ratio(base: string | null | undefined, quote: string | null | undefined): string {
  if (base == null || quote == null || !isPositive(base) || !isPositive(quote)) return '';
  return divide(base, quote, { scale: PRICE_SCALE, rounding: 'up' });
}
