// Orders of a fleet whose terminals, clock and database are the test's.

import type { MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { DeviceOrders, type OrderRequest } from '../../../../../server/device/orders/deviceOrders.ts';
import { DeviceRegistry } from '../../../../../server/device/registry.ts';
import type { CommandResult, TerminalSession } from '../../../../../server/device/terminalSession.ts';
import type { OnLimit } from '../../../../../server/limits/limit.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { settled } from '../jt808/fakeTerminal.ts';
import { FakeOrderStore } from './fakeOrderStore.ts';

export const BUS = { deviceId: 'BUS1', incarnation: 1 };
export const TRAM = { deviceId: 'TRAM1', incarnation: 2 };

interface HeardCommand {
  readonly body: MessageBody;
  readonly answer: (result: CommandResult) => void;
  readonly fail: (error: Error) => void;
}

/** A signed-in terminal whose answers the test gives by hand. */
export class FakeSession {
  readonly heard: HeardCommand[] = [];
  /** The answer to all commands, in place of waiting for one by hand. */
  answers: CommandResult | undefined;
  isThere = true;
  probes = 0;
  readonly session: TerminalSession;

  constructor({ deviceId, incarnation } = BUS) {
    this.session = {
      deviceId,
      incarnation,
      edition: '2013',
      command: (body: MessageBody) => {
        const given = new Promise<CommandResult>((answer, fail) => this.heard.push({ body, answer, fail }));
        return this.answers === undefined ? given : Promise.resolve(this.answers);
      },
      isAlive: async () => {
        this.probes++;
        return this.isThere;
      },
      close: () => undefined,
    } as unknown as TerminalSession;
  }

  /** The text of each command. */
  texts(): string[] {
    return this.heard.map(({ body }) => (body.kind === 'text' ? body.text : body.kind));
  }

  answer(result: CommandResult): void {
    this.heard.at(-1)?.answer(result);
  }
}

export interface OrderScene {
  readonly timers: ManualTimers;
  readonly registry: DeviceRegistry;
  readonly store: FakeOrderStore;
  readonly faults: string[];
  readonly limits: string[];
  /** The orders of the gateway that runs now. */
  readonly orders: DeviceOrders;
  /** Signs a terminal in. */
  enter(device?: typeof BUS): FakeSession;
  /** Another start on the same database, after `kill -9` where the one before was not closed. */
  restart(): Promise<void>;
}

export async function createOrderScene(onLimit: OnLimit = () => undefined): Promise<OrderScene> {
  const timers = new ManualTimers();
  const store = new FakeOrderStore();
  for (const { deviceId, incarnation } of [BUS, TRAM]) store.devices.set(incarnation, deviceId);
  const faults: string[] = [];
  const limits: string[] = [];
  const start = () => {
    const registry = new DeviceRegistry(timers.now);
    const orders = new DeviceOrders({
      store,
      registry,
      now: timers.now,
      runAfter: timers.runAfter,
      random: () => 0.5,
      onFault: ({ message }) => faults.push(message),
      onLimit: (limit) => {
        limits.push(limit.name);
        onLimit(limit);
      },
    });
    return { registry, orders };
  };
  let run = start();
  await run.orders.start();
  return {
    timers,
    store,
    faults,
    limits,
    get registry() {
      return run.registry;
    },
    get orders() {
      return run.orders;
    },
    enter: (device = BUS) => {
      const terminal = new FakeSession(device);
      run.registry.enter(terminal.session);
      return terminal;
    },
    restart: async () => {
      run = start();
      await run.orders.start();
    },
  };
}

/** A text, which expires a minute after the start of the clock. */
export function order(text: string, change: Partial<OrderRequest> = {}): OrderRequest {
  const body = { kind: 'text', flags: 4, text } as const;
  return { device: BUS, body, reason: 'test', expiresAtMs: wallMs(60_000), ...change };
}

/** Waits until whatever can be done without another answer is done. */
export async function quiet(): Promise<void> {
  for (let round = 0; round < 5; round++) await settled();
}
