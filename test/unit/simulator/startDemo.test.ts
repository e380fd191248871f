import { beforeEach, describe, expect, it } from 'vitest';
import { startDemo } from '../../../simulator/startDemo.ts';

let done: string[];
let closeByGuard: (() => Promise<void>) | undefined;
beforeEach(() => {
  done = [];
  closeByGuard = undefined;
});

const note = (what: string) => async (): Promise<void> => void done.push(what);
const vehicle = { start: () => void done.push('vehicle on'), stop: () => void done.push('vehicle off') };
const filled = { lines: ['Ready'] };

const demo = (fill: () => Promise<typeof filled>) =>
  startDemo({
    guard: {
      closeBy: (close) => {
        closeByGuard = close;
      },
    },
    start: async () => ({ close: note('gateway closed') }),
    fill,
    createActors: async (_, content) => {
      expect(content).toBe(filled);
      return [vehicle];
    },
    removeFolder: () => void done.push('folder removed'),
  });

describe('the start of the demo', () => {
  it('closes the gateway before its folder when a fault comes while accounts and devices are added', async () => {
    void demo(() => new Promise(() => undefined));
    await Promise.resolve();
    await closeByGuard?.();
    expect(done).toEqual(['gateway closed', 'folder removed']);
  });

  it('closes the gateway before its folder when accounts or devices cannot be added', async () => {
    const fault = new Error('the disk is full');
    await expect(demo(() => Promise.reject(fault))).rejects.toBe(fault);
    expect(done).toEqual(['gateway closed', 'folder removed']);
  });

  it('stops the vehicles first when it is stopped', async () => {
    expect(await demo(async () => filled)).toEqual(['Ready']);
    await closeByGuard?.();
    expect(done).toEqual(['vehicle on', 'vehicle off', 'gateway closed', 'folder removed']);
  });
});
