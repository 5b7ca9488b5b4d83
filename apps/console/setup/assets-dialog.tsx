// Lists chosen assets of the catalog, and opens their deposits and withdrawals.

import { useState } from 'react';
import { isPositive } from '../../decimals/index.ts';
import { Checkbox, DecimalField } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { coinBody } from '../markets/listing-checks.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook } from '../use-words.ts';
import { CATALOG, coinOf } from './catalog.ts';

const ANY_STEP = '0.000000000001';

export function AssetsDialog({
  currency,
  listed,
  onClose,
}: {
  /** Currency of the reference prices. */
  currency: string;
  listed: readonly string[];
  onClose(): void;
}) {
  const { t } = useLook();
  const offered = CATALOG.filter(({ symbol }) => !listed.includes(symbol));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [prices, setPrices] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(CATALOG.map(({ price, symbol }) => [symbol, price])),
  );
  const isReady = chosen.every((symbol) => isPositive(prices[symbol]));
  return (
    <ActDialog
      title={t('setup.assets')}
      submit={t('setup.list', { count: chosen.length })}
      form="wide"
      approvals={1}
      isDisabled={chosen.length === 0 || !isReady}
      onClose={onClose}
      act={async () => {
        let answer: unknown;
        // One after another, so a rejection leaves the later ones unlisted.
        for (const asset of offered.filter(({ symbol }) => chosen.includes(symbol))) {
          answer = await exchange.createCoin({
            ...coinBody(coinOf(asset, prices[asset.symbol])),
            allow_deposit: true,
            allow_withdrawal: true,
          });
        }
        return answer;
      }}
    >
      <p className="text-body text-quiet">
        {t('setup.assetsText', { currency: currency.toUpperCase() })}
      </p>
      <ul className="flex flex-col gap-1">
        {offered.map(({ decimals, fullname, network, symbol }) => (
          <li key={symbol} className="flex flex-wrap items-center gap-3 border-b border-line pb-1">
            <span className="w-40">
              <Checkbox
                label={
                  <>
                    <bdi dir="ltr" className="font-semibold">
                      {symbol.toUpperCase()}
                    </bdi>{' '}
                    {fullname}
                  </>
                }
                isOn={chosen.includes(symbol)}
                onChange={(isOn) =>
                  setChosen(isOn ? [...chosen, symbol] : chosen.filter((one) => one !== symbol))
                }
              />
            </span>
            <span className="flex-1 text-label text-quiet">
              <bdi dir="ltr">{network === '' ? t('market.fiat') : network.toUpperCase()}</bdi>
              {' · '}
              {t('setup.decimals', { count: decimals })}
            </span>
            {chosen.includes(symbol) && (
              <span className="w-40">
                <DecimalField
                  label={t('setup.priceOf', { symbol: symbol.toUpperCase() })}
                  isLabelHidden
                  placeholder={t('market.estimatedPrice')}
                  increment={ANY_STEP}
                  after={currency.toUpperCase()}
                  required
                  value={prices[symbol]}
                  onValue={(price) => setPrices({ ...prices, [symbol]: price })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </ActDialog>
  );
}
