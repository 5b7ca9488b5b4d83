// Referral: the user's codes, and earnings pending payout.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReferralCode } from '../../../client/index.ts';
import { ActForm, CopyButton, Refusal, useAct } from '../../forms/index.ts';
import {
  Amount,
  Button,
  type Column,
  Dialog,
  Field,
  Panel,
  Select,
  showToast,
  stateOfList,
  Table,
  useLook,
  WideTable,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';

const CODES_KEY = ['private', 'referral-codes'];
const EARNED_KEY = ['private', 'referral-earned'];
const PERCENTS = ['0', '10', '20', '30', '40', '50', '60', '70', '80', '90'] as const;

export function ReferralPanels() {
  const { t } = useLook();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({
    queryKey: CODES_KEY,
    queryFn: async ({ signal }) => (await exchange.getReferralCodes({ signal })).data,
  });
  const columns: readonly Column<ReferralCode>[] = [
    { key: 'code', label: t('referral.code'), cell: ({ code }) => <bdi dir="ltr">{code}</bdi> },
    {
      key: 'discount',
      label: t('referral.discount'),
      isNumber: true,
      cell: ({ discount }) => <bdi dir="ltr">{discount}%</bdi>,
    },
    {
      key: 'earning',
      label: t('referral.earning'),
      isNumber: true,
      cell: ({ earning_rate }) => <bdi dir="ltr">{earning_rate}%</bdi>,
    },
    {
      key: 'people',
      label: t('referral.people'),
      isNumber: true,
      isExtra: true,
      cell: ({ referral_count }) => referral_count,
    },
    {
      key: 'link',
      label: <span className="sr-only">{t('referral.copy')}</span>,
      isNumber: true,
      cell: ({ code }) => (
        <CopyButton
          label={t('referral.copy')}
          text={`${location.origin}/sign-up?referral=${encodeURIComponent(code)}`}
        />
      ),
    },
  ];
  return (
    <>
      <Panel
        title={t('referral.codes')}
        state={stateOfList(query, t('referral.none'))}
        onRetry={() => void query.refetch()}
        after={
          <Button size="small" look="quiet" onClick={() => setOpen(true)}>
            <Plus size={14} aria-hidden="true" />
            {t('referral.make')}
          </Button>
        }
      >
        <WideTable
          caption={t('referral.codes')}
          columns={columns}
          rows={query.data ?? []}
          keyOf={({ code }) => code}
        />
      </Panel>
      {isOpen && <MakeCode onClose={() => setOpen(false)} />}
      <EarnedPanel />
    </>
  );
}

function MakeCode({ onClose }: { onClose(): void }) {
  const { t } = useLook();
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const [discount, setDiscount] = useState<(typeof PERCENTS)[number]>('10');
  const [earning, setEarning] = useState<(typeof PERCENTS)[number]>('10');
  const make = useAct(async () => {
    const rates = { discount: Number(discount), earning_rate: Number(earning) };
    await exchange.createReferralCode({ code, ...rates });
    await queries.invalidateQueries({ queryKey: CODES_KEY });
    onClose();
  });
  const percents = PERCENTS.map((value) => ({ value, label: `${value}%` }));
  return (
    <Dialog title={t('referral.make')} isOpen onClose={onClose}>
      <ActForm onSubmit={make.run}>
        <Field
          label={t('referral.code')}
          hint={t('referral.codeHint')}
          dir="ltr"
          required
          pattern="[A-Za-z0-9]{6}"
          maxLength={6}
          value={code}
          onChange={({ target }) => setCode(target.value.toUpperCase())}
        />
        <Select
          label={t('referral.discount')}
          choices={percents}
          value={discount}
          onValue={setDiscount}
        />
        <Select
          label={t('referral.earning')}
          choices={percents}
          value={earning}
          onValue={setEarning}
        />
        <Refusal error={make.error} />
        <Button type="submit" look="main" size="large" isBusy={make.isBusy}>
          {t('referral.make')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

interface Earned {
  readonly coin: string;
  readonly accumulated_fees: string;
}

function EarnedPanel() {
  const { t } = useLook();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: EARNED_KEY,
    queryFn: async ({ signal }) => (await exchange.getUnrealizedReferral({ signal })).data,
  });
  const settle = useAct(async () => {
    await exchange.settleReferral();
    showToast('done', t('referral.paid'));
    await queries.invalidateQueries({ queryKey: EARNED_KEY });
  });
  const columns: readonly Column<Earned>[] = [
    { key: 'coin', label: t('status.coin'), cell: ({ coin }) => coin.toUpperCase() },
    {
      key: 'earned',
      label: t('referral.waiting'),
      isNumber: true,
      cell: ({ accumulated_fees, coin }) => <Amount value={accumulated_fees} unit={coin} />,
    },
  ];
  const rows: readonly Earned[] = query.data ?? [];
  return (
    <Panel
      title={t('referral.waiting')}
      state={stateOfList(query, t('referral.nothing'))}
      onRetry={() => void query.refetch()}
      after={
        rows.length > 0 && (
          <Button size="small" onClick={() => settle.run()} isBusy={settle.isBusy}>
            {t('referral.settle')}
          </Button>
        )
      }
    >
      <Refusal error={settle.error} />
      <Table
        caption={t('referral.waiting')}
        columns={columns}
        rows={rows}
        keyOf={({ coin }) => coin}
      />
    </Panel>
  );
}
