// The processes that hold the terminals of a bench, as the bench sees them.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Stores } from '../../../server/store/stores.ts';
import { type DialOrder, deviceIdOf, type FromDialing } from './messages.ts';

const FIRST_DEVICE = 14_000_000_000;
export const PROCESSES = 2;
/** Dials of each process: a thousand at the same moment would measure the listener's queue. */
const DIALS_PER_SECOND = 250;
const SIGN_IN_SECONDS = 150;

export interface FleetPart {
  readonly process: ChildProcess;
  /** Numbers of its terminals: the first, and how many. */
  readonly first: number;
  readonly count: number;
}

export async function addDevices(stores: Stores, count: number, deviceGroup?: number): Promise<void> {
  for (let device = FIRST_DEVICE; device < FIRST_DEVICE + count; device++) {
    const deviceId = deviceIdOf(device);
    const terminal = { canonical: String(device), raw: String(device).padStart(20, '0') };
    await stores.devices.insert({ deviceId, name: deviceId, chn: 1, terminal, deviceGroup });
  }
}

/** `script` takes an order and what `more` adds to it. The caller kills the processes. */
export function startFleets(script: string, devices: number, port: number, more: object = {}): FleetPart[] {
  return Array.from({ length: PROCESSES }, (_, index) => {
    const count = Math.floor(devices / PROCESSES) + (index < devices % PROCESSES ? 1 : 0);
    const first = FIRST_DEVICE + index * Math.ceil(devices / PROCESSES);
    const order: DialOrder = { port, first, count, dialsPerSecond: DIALS_PER_SECOND };
    const execArgv = ['--import', 'tsx'];
    return { process: fork(script, [JSON.stringify({ ...order, ...more })], { execArgv }), first, count };
  });
}

/** Resolves once every terminal is signed in. */
export async function signedIn(fleets: readonly FleetPart[], onProgress: (text: string) => void): Promise<void> {
  for (const fleet of fleets) fleet.process.on('message', (from: FromDialing) => tellProgress(from, onProgress));
  await Promise.race([
    Promise.all(fleets.map((fleet) => message<FromDialing, 'online'>(fleet, 'online'))),
    failAfter(SIGN_IN_SECONDS, 'not all terminals were signed in'),
  ]);
}

/** Waits for the next message of a type. */
export async function message<From extends { readonly type: string }, Type extends From['type']>(
  fleet: FleetPart,
  type: Type,
): Promise<From & { readonly type: Type }> {
  for (;;) {
    const [from] = (await once(fleet.process, 'message')) as [From | FromDialing];
    if (isFailure(from)) throw new Error(from.reason);
    if (from.type === type) return from as From & { readonly type: Type };
  }
}

function isFailure(from: { readonly type: string }): from is FromDialing & { readonly type: 'failed' } {
  return from.type === 'failed';
}

function tellProgress(from: FromDialing, onProgress: (text: string) => void): void {
  if (from.type === 'progress') onProgress(`${from.online} are signed in, ${from.cut} were cut`);
}

async function failAfter(seconds: number, reason: string): Promise<never> {
  await setTimeout(seconds * 1_000, undefined, { ref: false });
  throw new Error(`${reason} within ${seconds} s`);
}
