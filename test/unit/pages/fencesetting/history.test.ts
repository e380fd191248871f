import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyHistory,
  type History,
  MAX_STEPS,
  recorded,
  redone,
  undone,
} from '../../../../pages/innerpage/fencesetting/edit/history.ts';

/** A value with its history, as the form has them. */
class Edited {
  value = 0;
  history: History<number> = emptyHistory();

  change(value: number, run?: string): void {
    this.history = recorded(this.history, this.value, run);
    this.value = value;
  }

  undo(): boolean {
    return this.#go(undone(this.history, this.value));
  }

  redo(): boolean {
    return this.#go(redone(this.history, this.value));
  }

  #go(step: ReturnType<typeof undone<number>>): boolean {
    if (step === undefined) return false;
    ({ value: this.value, history: this.history } = step);
    return true;
  }
}

describe('undo and redo', () => {
  it('go back through all changes and forward again', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: MAX_STEPS }), (values) => {
        const edited = new Edited();
        const seen = [0];
        for (const value of values) {
          edited.change(value);
          seen.push(value);
        }
        const back = [edited.value];
        while (edited.undo()) back.push(edited.value);
        expect(back).toEqual(seen.toReversed());
        const forth = [edited.value];
        while (edited.redo()) forth.push(edited.value);
        expect(forth).toEqual(seen);
      }),
    );
  });

  it('keep the last steps only', () => {
    const edited = new Edited();
    for (let value = 1; value <= MAX_STEPS + 20; value++) edited.change(value);
    let steps = 0;
    while (edited.undo()) steps++;
    expect([steps, edited.value]).toEqual([MAX_STEPS, 20]);
  });

  it('take the digits of a number as one step, until something else is changed or undone', () => {
    const edited = new Edited();
    edited.change(1, 'radius');
    edited.change(12, 'radius');
    edited.change(99);
    edited.change(5, 'radius');
    edited.undo();
    expect(edited.value).toBe(99);
    edited.undo();
    expect(edited.value).toBe(12);
    edited.change(13, 'radius');
    edited.undo();
    expect(edited.value).toBe(12);
    edited.undo();
    expect(edited.value).toBe(0);
  });

  it('forget what was undone once something else is changed', () => {
    const edited = new Edited();
    edited.change(1);
    edited.undo();
    edited.change(2);
    expect(edited.redo()).toBe(false);
  });
});
