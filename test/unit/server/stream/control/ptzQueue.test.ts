import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandFault } from '../../../../../server/device/controls.ts';
import { PtzQueue } from '../../../../../server/stream/control/ptzQueue.ts';
import type { PtzMessage } from '../../../../../shared/protocol/stream/controlMessages.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';

const left: PtzMessage = { type: 'move', direction: 'left', speed: 9 };
const right: PtzMessage = { type: 'move', direction: 'right', speed: 9 };
const zoomIn: PtzMessage = { type: 'zoom', direction: 'in' };
const stop: PtzMessage = { type: 'stop' };
const wiper = (on: boolean): PtzMessage => ({ type: 'wiper', on });

describe('PtzQueue', () => {
  let sent: PtzMessage[];
  let answers: ((fault: CommandFault | undefined) => void)[];
  let faults: CommandFault[];
  let queue: PtzQueue;

  beforeEach(() => {
    [sent, answers, faults] = [[], [], []];
    queue = new PtzQueue({
      send: (message) => {
        sent.push(message);
        return new Promise((resolve) => answers.push(resolve));
      },
      onFailed: (fault) => faults.push(fault),
      onFault: noFaults,
    });
  });

  /** The terminal answers the oldest command that waits for it. */
  const answer = async (fault?: CommandFault): Promise<void> => {
    answers.shift()?.(fault);
    await settled();
  };

  it('sends one command at a time, and of the movements that waited only the newest', async () => {
    for (const message of [left, right, zoomIn, left, right]) queue.take(message);
    expect(sent).toEqual([left]);
    await answer();
    expect(sent).toEqual([left, right]);
    await answer();
    expect(sent).toEqual([left, right]);
  });

  it('sends a stop at once, and nothing that waited before it', async () => {
    for (const message of [left, right, stop]) queue.take(message);
    expect(sent).toEqual([left, stop]);
    await answer();
    await answer();
    expect(sent).toEqual([left, stop]);
  });

  it('sends what comes behind a stop once both are answered', async () => {
    for (const message of [left, stop, right]) queue.take(message);
    await answer();
    expect(sent).toEqual([left, stop]);
    await answer();
    expect(sent).toEqual([left, stop, right]);
  });

  it('sends one stop for any number of them, and a new one for a new movement', async () => {
    for (let times = 0; times < 1_000; times++) queue.take(stop);
    expect(sent).toEqual([stop]);
    await answer();
    queue.take(left);
    queue.take(stop);
    expect(sent).toEqual([stop, left, stop]);
  });

  it('keeps the newest state of each switch while a movement is under way', async () => {
    for (const message of [left, wiper(true), { type: 'infrared', on: true } as const, wiper(false)]) {
      queue.take(message);
    }
    for (let times = 0; times < 4; times++) await answer();
    expect(sent).toEqual([left, wiper(false), { type: 'infrared', on: true }]);
  });

  it('tells of what was not carried out, and goes on', async () => {
    queue.take(left);
    queue.take(right);
    await answer('refused');
    await answer();
    expect([faults, sent]).toEqual([['refused'], [left, right]]);
  });

  it('stops a camera that moves when its holder goes, once', async () => {
    queue.take(left);
    queue.take(right);
    queue.release();
    queue.release();
    expect(sent).toEqual([left, stop]);
    await answer();
    await answer();
    expect(sent).toEqual([left, stop]);
    queue.take(right);
    expect(sent).toHaveLength(2);
  });

  it('sends nothing when its holder goes and the camera stands still', async () => {
    queue.take(left);
    await answer();
    queue.take(stop);
    await answer();
    queue.take(wiper(true));
    queue.release();
    expect(sent).toEqual([left, stop, wiper(true)]);
  });

  it('stops again when the stop was refused while it was held', async () => {
    queue.take(left);
    await answer();
    queue.take(stop);
    await answer('no-answer');
    queue.release();
    expect(sent).toEqual([left, stop, stop]);
  });

  it('repeats a last stop that is not answered, three times in all', async () => {
    queue.take(left);
    await answer();
    queue.release();
    for (let times = 0; times < 5; times++) await answer('no-answer');
    expect(sent).toEqual([left, stop, stop, stop]);
    expect(faults).toEqual([]);
  });
});
