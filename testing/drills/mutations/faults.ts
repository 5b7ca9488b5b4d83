// All faults of the mutation drill, by package.

import { type Fault, faultsIn } from './fault.ts';
import { ACCESS_FAULTS } from './faults/access.ts';
import { AUCTION_FAULTS } from './faults/auctions.ts';
import { ENGINE_FAULTS } from './faults/engine.ts';
import { HEALTH_FAULTS } from './faults/health.ts';
import { SENDER_FAULTS } from './faults/identities.ts';
import { IDENTITY_FAULTS } from './faults/identity.ts';
import { LEDGER_FAULTS } from './faults/ledger.ts';
import { LEDGER_HISTORY_FAULTS } from './faults/ledger-history.ts';
import { LIST_FAULTS } from './faults/lists.ts';
import { MATCHING_FAULTS } from './faults/matching.ts';
import { MONEY_ACT_FAULTS } from './faults/money-acts.ts';
import { MONEY_COMMAND_FAULTS } from './faults/money-commands.ts';
import { MONITOR_FAULTS } from './faults/monitor.ts';
import { OPERATOR_FAULTS } from './faults/operators.ts';
import { ORDER_FAULTS } from './faults/orders.ts';
import { OUTBOX_CHECK_FAULTS } from './faults/outbox-checks.ts';
import { PEOPLE_FAULTS } from './faults/people.ts';
import { REQUEST_FAULTS } from './faults/requests.ts';
import { SEALED_DATA_FAULTS } from './faults/sealed-data.ts';
import { SNAPSHOT_FAULTS } from './faults/snapshot.ts';
import { STAKING_FAULTS } from './faults/staking.ts';
import { STREAM_FAULTS } from './faults/stream.ts';
import { SURVEILLANCE_FAULTS } from './faults/surveillance.ts';
import { SWITCH_BOARD_FAULTS } from './faults/switch-board.ts';
import { SWITCH_FAULTS } from './faults/switches.ts';
import { TRANSFER_FAULTS } from './faults/transfers.ts';

export const FAULTS: readonly Fault[] = [
  LEDGER_FAULTS,
  MATCHING_FAULTS,
  ORDER_FAULTS,
  MONEY_COMMAND_FAULTS,
  ENGINE_FAULTS,
  AUCTION_FAULTS,
  SNAPSHOT_FAULTS,
  IDENTITY_FAULTS,
  SENDER_FAULTS,
  REQUEST_FAULTS,
  LIST_FAULTS,
  SEALED_DATA_FAULTS,
  OPERATOR_FAULTS,
  TRANSFER_FAULTS,
  ACCESS_FAULTS,
  MONEY_ACT_FAULTS,
  STAKING_FAULTS,
  PEOPLE_FAULTS,
  LEDGER_HISTORY_FAULTS,
  HEALTH_FAULTS,
  SURVEILLANCE_FAULTS,
  SWITCH_BOARD_FAULTS,
  STREAM_FAULTS,
  SWITCH_FAULTS,
  MONITOR_FAULTS,
  OUTBOX_CHECK_FAULTS,
].flatMap(faultsIn);
