import { describe, expect, test } from 'vitest';
import {
  type FormEvent,
  hasProblem,
  initialForm,
  isDirty,
  nextForm,
  problemAt,
  sameValue,
  shownProblems,
} from '../../../../../shared/ui/form/formState.ts';

interface Truck {
  readonly name: string;
  readonly groups: readonly number[];
}

const SAVED: Truck = { name: 'Truck', groups: [1] };
const formAfter = (...events: readonly FormEvent<Truck>[]) => events.reduce(nextForm<Truck>, initialForm(SAVED));
const change = (part: Partial<Truck>): FormEvent<Truck> => ({ type: 'change', part });

describe('a form', () => {
  test('has unsaved changes while it differs from what is saved, not once it was touched', () => {
    expect(isDirty(formAfter())).toBe(false);
    expect(isDirty(formAfter(change({ name: 'Bus' })))).toBe(true);
    expect(isDirty(formAfter(change({ name: 'Bus' }), change({ name: 'Truck' })))).toBe(false);
    expect(isDirty(formAfter(change({ groups: [1] })))).toBe(false);
    expect(isDirty(formAfter(change({ groups: [1, 2] })))).toBe(true);
  });

  test('that was saved begins anew from what it has', () => {
    const saved = formAfter(
      change({ name: 'Bus' }),
      { type: 'save' },
      { type: 'settle', values: { name: 'Bus', groups: [1] } },
    );
    expect(isDirty(saved)).toBe(false);
    expect(saved).toEqual(initialForm({ name: 'Bus', groups: [1] }));
  });

  test('forgets what was refused of a field and its parts once it changes, also of one whose name has dots', () => {
    const texts = { 'texts.en.body': 'A', 'texts.en.bodyNote': 'B' };
    const fields = { 'texts.en.body': 'unknown', 'texts.en.body.1': 'unknown', 'texts.en.bodyNote': 'too long' };
    const refused = nextForm(initialForm(texts), { type: 'refuse', fields, failure: undefined });
    const changed = nextForm(refused, { type: 'change', part: { 'texts.en.body': 'C' } });
    expect(changed.refused).toEqual({ 'texts.en.bodyNote': 'too long' });
  });

  test('loses nothing that was typed when saving fails', () => {
    const failed = formAfter(
      change({ name: 'Bus' }),
      { type: 'save' },
      { type: 'refuse', fields: {}, failure: 'No answer.' },
    );
    expect(failed.values.name).toBe('Bus');
    expect(failed).toMatchObject({ isSaving: false, failure: 'No answer.', stops: 0 });
    expect(isDirty(failed)).toBe(true);
  });

  test('goes on from what somebody else saved, with what the user wants of both', () => {
    const theirs: Truck = { name: 'Ship', groups: [1] };
    const merged = formAfter(change({ groups: [2] }), {
      type: 'rebase',
      base: theirs,
      values: { name: 'Ship', groups: [2] },
    });
    expect(merged.base).toBe(theirs);
    expect(isDirty(merged)).toBe(true);
  });
});

describe('what is wrong with a field', () => {
  const problems = { name: 'Give it a name.' };

  test('is said once it was left, or once saving was tried', () => {
    expect(shownProblems(formAfter(), problems)).toEqual({});
    expect(shownProblems(formAfter({ type: 'visit', name: 'name' }), problems)).toEqual(problems);
    expect(shownProblems(formAfter({ type: 'stop' }), problems)).toEqual(problems);
    expect(formAfter({ type: 'stop' }, { type: 'stop' }).stops).toBe(2);
  });

  test('in the eyes of the gateway is said until the field changes', () => {
    const refuse: FormEvent<Truck> = {
      type: 'refuse',
      fields: { name: 'Taken.', groups: 'Unknown.' },
      failure: undefined,
    };
    const refused = formAfter({ type: 'save' }, refuse);
    expect(shownProblems(refused, {})).toEqual({ name: 'Taken.', groups: 'Unknown.' });
    expect(refused.stops).toBe(1);
    expect(shownProblems(nextForm(refused, change({ name: 'Bus' })), {})).toEqual({ groups: 'Unknown.' });
    expect(shownProblems(nextForm(refused, { type: 'save' }), {})).toEqual({});
  });

  test('is none when its text is undefined', () => {
    expect(hasProblem({ name: undefined })).toBe(false);
    expect(hasProblem(problems)).toBe(true);
  });
});

test.each([
  [1, 1, true],
  [Number.NaN, Number.NaN, true],
  [null, {}, false],
  [[], {}, false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, false],
  [[1], [1, 2], false],
  ['1', 1, false],
])('%j and %j are the same: %s', (one, other, same) => {
  expect(sameValue(one, other)).toBe(same);
  expect(sameValue(other, one)).toBe(same);
});

describe('problems of parts of a field', () => {
  const refused = { 'groups.1': 'unknown group', 'groups.2.name': 'too long', name: 'taken' };
  const state = formAfter({ type: 'refuse', fields: refused, failure: undefined });

  test('stand at the part, and at the field that has no better one', () => {
    const shown = shownProblems(state, {});
    expect(problemAt(shown, 'groups.1')).toBe('unknown group');
    expect(problemAt(shown, 'groups.2')).toBe('too long');
    expect(problemAt(shown, 'groups')).toBe('unknown group');
    expect(problemAt(shown, 'groups.10')).toBeUndefined();
  });

  test('are gone once the field changes', () => {
    const shown = shownProblems(nextForm(state, change({ groups: [1, 2] })), {});
    expect(shown).toEqual({ name: 'taken' });
  });

  test('are told once the part was left', () => {
    const problems = { 'groups.1': 'own word' };
    expect(shownProblems(formAfter(), problems)).toEqual({});
    expect(shownProblems(formAfter({ type: 'visit', name: 'groups.1' }), problems)).toEqual(problems);
  });
});
