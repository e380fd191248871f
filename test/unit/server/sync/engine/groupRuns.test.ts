import { beforeEach, describe, expect, it } from 'vitest';
import { GroupRuns } from '../../../../../server/sync/engine/groupRuns.ts';

const [FLOODING, QUIET, THIRD] = [1, 2, 3];
const PLACES = 8;

let running: number[];
let runs: GroupRuns;

beforeEach(() => {
  running = [];
  runs = new GroupRuns({ running: () => running, groups: () => 3 });
});

const wishOf = (memberGroup: number, places = PLACES) => ({ memberGroup, places });

function fill(memberGroup: number): number {
  let begun = 0;
  while (runs.mayBegin(wishOf(memberGroup))) {
    running.push(memberGroup);
    runs.begun(memberGroup);
    begun++;
  }
  return begun;
}

describe('places for what is fetched', () => {
  it('are never all of one member group', () => {
    expect([fill(FLOODING), fill(QUIET), fill(THIRD)]).toEqual([6, 2, 0]);
  });

  it('are next of the group that has the fewest, however many others wait', () => {
    fill(FLOODING);
    fill(QUIET);
    for (let device = 100; device < 200; device++) runs.wait(device, wishOf(FLOODING));
    runs.wait(201, wishOf(QUIET));
    runs.wait(301, wishOf(THIRD));
    expect(runs.due()).toEqual([]);
    running.pop();
    expect(runs.due()).toEqual([301]);
    expect([runs.mayBegin(wishOf(FLOODING)), runs.mayBegin(wishOf(QUIET))]).toEqual([false, false]);
    running.shift();
    expect(runs.due()).toEqual([201, 301]);
  });

  it('are of nobody who does not want them any more', () => {
    fill(FLOODING);
    fill(QUIET);
    runs.wait(301, wishOf(THIRD));
    running.pop();
    expect(runs.mayBegin(wishOf(QUIET))).toBe(false);
    runs.forget(301);
    expect(runs.mayBegin(wishOf(QUIET))).toBe(true);
  });

  it('are next of the group whose turn was longest ago where several have as few', () => {
    for (const group of [QUIET, THIRD]) {
      running.push(group);
      runs.begun(group);
    }
    for (let at = 2; at < PLACES; at++) running.push(FLOODING);
    runs.wait(301, wishOf(THIRD));
    runs.wait(201, wishOf(QUIET));
    running.pop();
    expect(runs.due()).toEqual([201]);
  });

  it('of rules are fewer: what waits for one of them keeps back nobody who may have more', () => {
    running = Array.from({ length: PLACES }, () => FLOODING);
    runs.wait(201, wishOf(QUIET));
    expect(runs.mayBegin(wishOf(THIRD, PLACES + 4))).toBe(true);
  });
});
