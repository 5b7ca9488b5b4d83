// Gallery: every part in every state on one page, for review and screenshots. For developers; its
// sample texts are in English.

import { useState } from 'react';
import {
  Amount,
  Button,
  type ButtonLook,
  Change,
  Checkbox,
  type Column,
  DecimalField,
  Dialog,
  Field,
  LOADING,
  Panel,
  type PanelState,
  READY,
  Segments,
  Select,
  showToast,
  Table,
  Tabs,
  type ToastKind,
  Toggle,
} from '../../ui/index.ts';

const STATES: readonly [name: string, state: PanelState][] = [
  ['Ready', READY],
  ['Loading', LOADING],
  ['Empty', { kind: 'empty', text: 'No open orders. Place one with the form.' }],
  ['Stale', { kind: 'stale', sinceMs: Date.now() - 7_000 }],
  ['Refused', { kind: 'refused', message: 'The available balance is too small', code: 1017 }],
  ['Outcome unknown', { kind: 'unknown', message: 'No response to POST /v2/order' }],
  ['Forbidden: session', { kind: 'forbidden', needs: 'session' }],
  ['Forbidden: permission', { kind: 'forbidden', needs: 'permission' }],
];

interface Sample {
  readonly pair: string;
  readonly price: string;
  readonly change: string;
}

const SAMPLES: readonly Sample[] = [
  { pair: 'BTC/USDT', price: '60000.50', change: '0.0123' },
  { pair: 'ETH/USDT', price: '3120.00', change: '-0.0045' },
  { pair: 'XRP/USDT', price: '0.500000', change: '0' },
];

const COLUMNS: readonly Column<Sample>[] = [
  { key: 'pair', label: 'Pair', cell: ({ pair }) => pair },
  {
    key: 'price',
    label: 'Price',
    isNumber: true,
    cell: ({ price }) => <Amount value={price} unit="usdt" />,
  },
  {
    key: 'change',
    label: 'Change',
    isNumber: true,
    cell: ({ change }) => <Change ratio={change} />,
  },
];

export function Screen() {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-1 md:grid-cols-2">
      <h1 className="sr-only">Gallery</h1>
      {STATES.map(([name, state]) => (
        <Panel key={name} title={name} state={state} skeletonRows={4} onRetry={() => {}}>
          <Table caption={name} columns={COLUMNS} rows={SAMPLES} keyOf={({ pair }) => pair} />
        </Panel>
      ))}
      <Buttons />
      <Inputs />
      <TabsAndDialogs />
    </div>
  );
}

function Buttons() {
  const looks: readonly ButtonLook[] = ['main', 'plain', 'quiet', 'buy', 'sell', 'danger'];
  const kinds: readonly ToastKind[] = ['done', 'refused', 'unknown', 'plain'];
  return (
    <Panel title="Buttons and toasts" state={READY}>
      <div className="flex flex-wrap items-center gap-2 p-3">
        {looks.map((look) => (
          <Button key={look} look={look}>
            {look}
          </Button>
        ))}
        <Button look="buy" disabled>
          disabled
        </Button>
        {kinds.map((kind) => (
          <Button key={kind} onClick={() => showToast(kind, `A ${kind} toast`, 'With a line.')}>
            toast: {kind}
          </Button>
        ))}
      </div>
    </Panel>
  );
}

function Inputs() {
  const [price, setPrice] = useState('60000.5');
  const [force, setForce] = useState<'GTC' | 'IOC'>('GTC');
  const [isOn, setOn] = useState(true);
  return (
    <Panel title="Inputs" state={READY}>
      <div className="grid grid-cols-2 gap-3 p-3">
        <Field label="E-mail" type="email" placeholder="you@example.com" />
        <Field label="Code" error="The code is wrong" defaultValue="12" />
        <DecimalField
          label="Price"
          increment="0.5"
          value={price}
          onValue={setPrice}
          after="USDT"
          hint="Steps of 0.5"
        />
        <Select
          label="Time in force"
          value={force}
          onValue={setForce}
          choices={[
            { value: 'GTC', label: 'Good till canceled' },
            { value: 'IOC', label: 'Immediate or cancel' },
          ]}
        />
        <Toggle label="A switch" isOn={isOn} onChange={setOn} />
        <Checkbox label="A box" isOn={isOn} onChange={setOn} />
      </div>
    </Panel>
  );
}

function TabsAndDialogs() {
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const [side, setSide] = useState<'buy' | 'sell'>('buy');
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Tabs, segments, dialog" state={READY}>
      <Tabs
        label="Sample tabs"
        value={tab}
        onValue={setTab}
        tabs={[
          { value: 'one', label: 'One', content: <p className="p-3">First</p> },
          { value: 'two', label: 'Two', content: <p className="p-3">Second</p> },
        ]}
      />
      <div className="flex items-center gap-2 p-3">
        <Segments
          label="Side"
          value={side}
          onValue={setSide}
          choices={[
            { value: 'buy', label: 'Buy' },
            { value: 'sell', label: 'Sell' },
          ]}
        />
        <Button onClick={() => setOpen(true)}>Open a dialog</Button>
        <Dialog title="A dialog" isOpen={isOpen} onClose={() => setOpen(false)}>
          <p>Escape, the cross and a press outside close it.</p>
        </Dialog>
      </div>
    </Panel>
  );
}
