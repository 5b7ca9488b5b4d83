// The simulator's bus. Every message travels to each subscriber separately and can be lost,
// duplicated, late or overtaken. Crashed receivers get nothing; paused receivers get their messages
// when they resume.

import type { Bus, Subscription } from '../../infra/bus/bus-port.ts';
import { type DelayRange, drawMs, OrderedDelivery } from '../../infra/journal/memory-log-path.ts';
import type { Clock } from '../../infra/process/index.ts';

export type BusFault = 'message_lost' | 'message_late' | 'message_twice';

/** Settings that are read for each message. */
export interface BusFaults {
  random: () => number;
  delayMs: DelayRange;
  lateMs: DelayRange;
  /** From 0 to 1; unlisted faults never happen. */
  rates: Partial<Record<BusFault, number>>;
  onFault: (fault: BusFault | 'bus_cut') => void;
}

/** Overwrites delivered bytes, which exposes receivers that store them without copying. */
const SCRUBBED = 0xdd;

interface Subscriber {
  readonly endpoint: SimulatedBusEndpoint;
  readonly clock: Clock;
  readonly subject: string;
  readonly receive: (message: Uint8Array, subject: string) => void;
}

export class SimulatedBus {
  readonly #clock: Clock;
  readonly #faults: BusFaults;
  readonly #subscribers = new Set<Subscriber>();
  readonly #cuts = new Set<string>();
  readonly #isolated = new Set<string>();

  constructor(clock: Clock, faults: BusFaults) {
    this.#clock = clock;
    this.#faults = faults;
  }

  /** `name` is the machine's name: a restarted process has the same name. */
  connect(name: string, clock: Clock): SimulatedBusEndpoint {
    return new SimulatedBusEndpoint(this, name, clock);
  }

  /** Drops messages in one direction; the other direction can stay open. */
  cut(way: { from: string; to: string }): void {
    this.#cuts.add(`${way.from}>${way.to}`);
  }

  restore(way: { from: string; to: string }): void {
    this.#cuts.delete(`${way.from}>${way.to}`);
  }

  /** Drops all messages to and from this machine. */
  isolate(name: string): void {
    this.#isolated.add(name);
  }

  rejoin(name: string): void {
    this.#isolated.delete(name);
  }

  /** Removes every cut. */
  heal(): void {
    this.#cuts.clear();
    this.#isolated.clear();
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  removeAll(endpoint: SimulatedBusEndpoint): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.endpoint === endpoint) this.remove(subscriber);
    }
  }

  publish(sender: SimulatedBusEndpoint, subject: string, message: Uint8Array): void {
    const sent = new Uint8Array(message);
    for (const subscriber of this.#subscribers) {
      if (!takes(subscriber.subject, subject)) continue;
      if (this.#happens('message_lost')) continue;
      const arrive = (): void => this.#arrive(sender, subscriber, subject, sent);
      const way = sender.wayTo(subscriber.endpoint, this.#clock);
      this.#send(way, arrive, this.#happens('message_late'));
      // The duplicate can arrive with the message or long after it.
      if (this.#happens('message_twice')) this.#send(way, arrive, this.#faults.random() < 0.5);
    }
  }

  #send(way: OrderedDelivery, arrive: () => void, isLate: boolean): void {
    const { random, delayMs, lateMs } = this.#faults;
    const delay = drawMs(random, delayMs);
    if (isLate) this.#clock.after(delay + drawMs(random, lateMs), arrive);
    else way.send(delay, arrive);
  }

  #arrive(
    sender: SimulatedBusEndpoint,
    subscriber: Subscriber,
    subject: string,
    sent: Uint8Array,
  ): void {
    if (this.#isCut(sender.name, subscriber.endpoint.name)) {
      this.#faults.onFault('bus_cut');
      return;
    }
    subscriber.clock.soon(() => {
      if (!this.#subscribers.has(subscriber)) return;
      const delivered = new Uint8Array(sent);
      subscriber.receive(delivered, subject);
      delivered.fill(SCRUBBED);
    });
  }

  /** A process's messages to itself also use the bus. */
  #isCut(from: string, to: string): boolean {
    return this.#isolated.has(from) || this.#isolated.has(to) || this.#cuts.has(`${from}>${to}`);
  }

  #happens(fault: BusFault): boolean {
    const rate = this.#faults.rates[fault] ?? 0;
    if (rate <= 0 || this.#faults.random() >= rate) return false;
    this.#faults.onFault(fault);
    return true;
  }
}

/** A process's connection to the bus. */
export class SimulatedBusEndpoint implements Bus {
  readonly name: string;
  readonly #bus: SimulatedBus;
  readonly #clock: Clock;
  readonly #ways = new Map<SimulatedBusEndpoint, OrderedDelivery>();
  #isClosed = false;

  constructor(bus: SimulatedBus, name: string, clock: Clock) {
    this.#bus = bus;
    this.name = name;
    this.#clock = clock;
  }

  publish(subject: string, message: Uint8Array): void {
    if (!this.#isClosed) this.#bus.publish(this, subject, message);
  }

  subscribe(
    subject: string,
    receive: (message: Uint8Array, subject: string) => void,
  ): Subscription {
    const subscriber = { endpoint: this, clock: this.#clock, subject, receive };
    this.#bus.add(subscriber);
    return { stop: () => this.#bus.remove(subscriber) };
  }

  /** The process crashed. Its messages in flight still arrive. */
  close(): void {
    this.#isClosed = true;
    this.#bus.removeAll(this);
  }

  wayTo(receiver: SimulatedBusEndpoint, clock: Clock): OrderedDelivery {
    let way = this.#ways.get(receiver);
    if (way === undefined) this.#ways.set(receiver, (way = new OrderedDelivery(clock)));
    return way;
  }
}

function takes(pattern: string, subject: string): boolean {
  return pattern.endsWith('.>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject;
}
